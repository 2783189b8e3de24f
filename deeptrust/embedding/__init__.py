"""Texts to vectors, on this machine."""

import os

# onnxruntime sends what it runs on to its maker from its first session on; it reads this when it is imported (DEP-10).
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
