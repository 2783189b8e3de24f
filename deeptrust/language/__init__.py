"""Text itself, whatever its language: cleaning, sentences, words. Pure functions."""
