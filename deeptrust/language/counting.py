"""Numbers of things, as a sentence has them."""


def count(number: int, noun: str) -> str:
    """`count(1, "page")` is "1 page", `count(1200, "page")` is "1,200 pages"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
