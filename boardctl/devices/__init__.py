"""Real devices behind small faces: cameras, panel, sensor board. The virtual table has the same faces."""
