"""Makes the networks that read: what they learn from, how they learn, and a card for each that tells what was done."""
