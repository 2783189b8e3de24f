"""The research agent: the only room that speaks to langgraph."""
