"""What happened, kept: the journal of facts, and match files that others read."""
