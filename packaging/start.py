"""Where the frozen program begins."""

from zebra_gui.cli import main

main()
