"""What can go wrong with the table's page."""


class PageError(RuntimeError):
    """The page cannot be served; the message says why and what to do."""


class PortUsedError(PageError):
    """Somebody listens at the page's port already: another program, or a table that is running."""
