"""One file for each kind of order sheet; `all_sheets` lists them."""
