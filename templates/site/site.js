/* Shows one phase at a time: arrow keys, Home and End, the two buttons, the row of phases, or a finger.
   Without it the page shows all phases, one below the other. */
"use strict";
(function () {
  var plates = Array.prototype.slice.call(document.querySelectorAll(".plate"));
  var links = Array.prototype.slice.call(document.querySelectorAll(".phases a"));
  var back = document.getElementById("back"), on = document.getElementById("on");
  var now = -1;
  if (!plates.length) return;

  function named() {
    var id = decodeURIComponent(location.hash.slice(1));
    return plates.findIndex(function (plate) { return plate.id === id; });
  }

  function show(at, quietly) {
    at = Math.max(0, Math.min(plates.length - 1, at));
    if (at === now) return;
    now = at;
    plates.forEach(function (plate, n) { plate.hidden = n !== at; });
    links.forEach(function (link, n) {
      if (n === at) link.setAttribute("aria-current", "step"); else link.removeAttribute("aria-current");
    });
    back.disabled = at === 0;
    on.disabled = at === plates.length - 1;
    if (!quietly) history.replaceState(null, "", "#" + plates[at].id);
    var step = links[at].parentElement, row = step.parentElement;
    row.scrollLeft = step.offsetLeft - row.offsetLeft - row.clientWidth / 2;
    [at + 1, at - 1].forEach(function (n) {
      var next = plates[n] && plates[n].querySelector("img");
      if (next) new Image().src = next.src;
    });
  }

  document.documentElement.classList.add("stepped");
  back.addEventListener("click", function () { show(now - 1); });
  on.addEventListener("click", function () { show(now + 1); });
  links.forEach(function (link, n) {
    link.addEventListener("click", function (event) { event.preventDefault(); show(n); });
  });
  window.addEventListener("hashchange", function () { if (named() >= 0) show(named(), true); });
  document.addEventListener("keydown", function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    var to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: plates.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(to);
  });

  var from = null;
  var area = document.getElementById("plates");
  area.addEventListener("touchstart", function (event) {
    from = event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  area.addEventListener("touchend", function (event) {
    if (!from || (window.visualViewport && window.visualViewport.scale > 1.05)) return;
    var to = event.changedTouches[0], across = to.clientX - from.clientX;
    if (Math.abs(across) > 60 && Math.abs(across) > 2 * Math.abs(to.clientY - from.clientY)) {
      show(now + (across < 0 ? 1 : -1));
    }
    from = null;
  });

  var played = plates.filter(function (plate) { return plate.querySelector(".orders"); });
  show(named() >= 0 ? named() : plates.indexOf(played[played.length - 1] || plates[plates.length - 1]), true);
})();
