"""Pictures to learn from in which light goes its true ways: path tracing by Mitsuba 3, which only training needs."""
