"""Runs: who owns the task, what happened, who follows."""
