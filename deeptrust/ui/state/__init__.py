"""What a page holds between clicks: handlers validate, call a service and assign."""
