"""DeepTrust: a local-first research workspace whose answers can be checked."""
