"""The table's web page: what the table shows, for players, spectators and directors. Looks, never decides."""
