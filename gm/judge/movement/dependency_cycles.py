"""Orders that wait for each other: finding the innermost such knot (Tarjan, without recursion)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set


def innermost(waits: Mapping[int, Set[int]]) -> list[int]:
    """A set of orders that wait for each other and for nobody else, in rising order.

    `waits` names what every open order waits for; what is not a key in it is no longer open. It must not be empty.
    """
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    first = min(waits)
    path: list[tuple[int, Iterator[int]]] = [(first, iter(sorted(waits[first])))]
    order[first] = low[first] = 0
    stack.append(first)
    while path:
        node, rest = path[-1]
        for other in rest:
            if other not in waits:
                continue
            if other not in order:
                order[other] = low[other] = len(order)
                stack.append(other)
                path.append((other, iter(sorted(waits[other]))))
                break
            low[node] = min(low[node], order[other])
        else:
            path.pop()
            if low[node] == order[node]:
                return sorted(stack[stack.index(node) :])
            parent = path[-1][0]
            low[parent] = min(low[parent], low[node])
    return sorted(waits)
