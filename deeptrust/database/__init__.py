"""The SQL tables of everything but documents; the only room that speaks to sqlmodel."""
