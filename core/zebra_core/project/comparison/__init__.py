"""Items side by side: columns, people, intervals of all, and tested differences."""
