"""Kill -9 at random instants, reopen, and compare what is stored with what was acknowledged."""
