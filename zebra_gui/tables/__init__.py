"""Tables of widgets that several panes show."""
