"""Who looks at the page: everybody, who sits at the table's own screen, and the director."""

from enum import StrEnum


class Audience(StrEnum):
    """Whose page it is. Everybody looks; the table's screen acts for the players; the director rules."""

    EVERYBODY = "everybody"
    TABLE = "table"
    DIRECTOR = "director"
