"""DeepTrust: a local-first research workspace whose answers can be checked."""

from importlib.metadata import version

__version__ = version("deeptrust")
