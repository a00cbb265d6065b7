"""Parts of commands that lead a person through something at the board, step by step, and ask what is seen there."""
