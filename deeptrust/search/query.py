"""The query as an engine will take it."""

from deeptrust.language.clean import clean_text, fold_space


def fit_query(query: str, limit: int, engine: str) -> tuple[str, str]:
    """Return (the query on one line and within `limit` characters, a sentence if it was cut) (WEB-09).

    The cut falls between words; only a single word longer than the limit is cut itself.
    """
    whole = fold_space(clean_text(query))
    if len(whole) <= limit:
        return whole, ""
    kept = whole[: limit + 1].rpartition(" ")[0] or whole[:limit]
    return kept, f"The query was cut from {len(whole):,} to {len(kept):,} characters, the most that {engine} takes."
