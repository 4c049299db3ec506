"""Long sessions: definitions and changes drawn from a seed, with questions, gold code and naive answers."""
