"""How right the eyes are: readings held against truth, and pictures as other cameras, hands and tables make them."""
