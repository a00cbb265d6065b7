"""``python -m boardctl``: the command line where its script is not on the path."""

from boardctl.cli import main

if __name__ == "__main__":
    main()
