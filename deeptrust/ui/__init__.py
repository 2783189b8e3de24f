"""The page: what a person sees and clicks. The only room of Reflex, beside the app object."""
