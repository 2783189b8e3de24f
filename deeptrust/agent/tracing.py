"""Tracing by LangSmith: on only when its variables are set and the machine is not offline (D50, K21).

The graph's library would trace by itself whenever it finds the variables. So it is told, once for the process.
"""

import os
from collections.abc import Mapping

import langsmith
from langsmith.utils import tracing_is_enabled  # pyright: ignore[reportUnknownVariableType]

DEFAULT_PROJECT = "deeptrust"
RUN_NAME = "DeepTrust research session"


def settle_tracing(is_offline: bool, variables: Mapping[str, str] = os.environ) -> str | None:
    """Turn tracing on or off for this process; return the project that prompts are sent to, or None.

    It takes both `LANGCHAIN_TRACING_V2=true` and `LANGCHAIN_API_KEY`; `LANGCHAIN_PROJECT` names the project.
    """
    is_wanted = variables.get("LANGCHAIN_TRACING_V2", "").lower() == "true" and bool(variables.get("LANGCHAIN_API_KEY"))
    project = variables.get("LANGCHAIN_PROJECT") or DEFAULT_PROJECT
    is_on = is_wanted and not is_offline
    langsmith.configure(enabled=is_on, project_name=project if is_on else None)
    return project if is_on else None


def is_traced() -> bool:
    """Whether what runs now is sent to LangSmith."""
    return bool(tracing_is_enabled())


def run_metadata(variables: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What every trace of a run carries, the first part and the resumed ones alike."""
    project = variables.get("LANGCHAIN_PROJECT") or DEFAULT_PROJECT
    return {"project": project, "run_name": RUN_NAME, "source": "deeptrust-ui"}
