"""What the commands have in common that referee a game: what a session is asked for with, what it is made of, where it
is shown, and where its journal lies."""
