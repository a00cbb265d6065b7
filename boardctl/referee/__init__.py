"""The referee, pure: facts in, rulings out. ``feed(fact) -> list[Effect]``; same facts, same effects, always."""
