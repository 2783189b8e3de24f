"""The agent: a graph that plans, audits, waits for a person, runs the tools and reports. The only room of langgraph."""
