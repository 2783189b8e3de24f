"""Write `.env.example` from the settings: `python -m scripts.env_example`."""

from pathlib import Path

from deeptrust.settings import Settings, setting_names

FILE = Path(__file__).parent.parent / ".env.example"


def render_example() -> str:
    """Return the file's text: each setting with its meaning and its default, commented out."""
    blocks = ["# Copy to .env and change what you need. Every line shows the default."]
    for key, name in setting_names().items():
        field = Settings.model_fields[name]
        default = field.default
        value = "" if default is None else str(default).lower() if isinstance(default, bool) else str(default)
        blocks.append(f"# {field.description}\n#{key}={value}")
    return "\n\n".join(blocks) + "\n"


if __name__ == "__main__":
    FILE.write_text(render_example(), encoding="utf-8")
