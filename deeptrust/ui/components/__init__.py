"""The pieces of the page, one a file."""
