"""The commands: one thin module each; parses, calls, prints."""


def main() -> None:
    """Runs the command line."""
