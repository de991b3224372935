"""The panes, one file each; `window/panes.py` lists them."""
