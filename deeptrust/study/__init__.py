"""Jobs: what a posting states, what a resume lacks, what to study, and the prep pack of four documents."""
