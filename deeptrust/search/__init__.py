"""Web search: one seam, one engine a file."""
