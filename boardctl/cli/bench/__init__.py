"""``boardctl bench``: measures this machine, and how right it is on recorded and drawn pictures.

One module a benchmark, which parses, calls and prints; ``commands`` puts them together. What several of them share:
``places`` (the folders of installations), ``shown`` (what their pictures are changed into), ``reading`` (those read and
measured), ``tables`` (what was counted, as lines). ``stream_table`` is the other process of ``bench stream``,
``table_reaction`` times a table's lights for ``bench link``.
"""
