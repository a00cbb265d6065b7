"""The error of a match file that cannot be read."""


class MatchFileError(ValueError):
    """A match file is damaged or holds what the rules do not allow; says the line and the column, both from 1."""

    def __init__(self, line: int, column: int, why: str) -> None:
        super().__init__(f"line {line}, column {column}: {why}")
        self.line = line
        self.column = column
