"""Run benchmarks: python -m benchmarks [NAME ...]; without a name, those that need nothing but this checkout's models.

Each prints its own table. Compare only figures of one run: other work on the machine moves them all.
"""

import subprocess
import sys
from pathlib import Path

QUICK = ("ingest", "retrieval_speed", "chat_model", "run_overhead")


def main(names: list[str]) -> int:
    """Run the named benchmarks one after the other; 2 for an unknown name, else the first failure's exit code."""
    known = {path.stem for path in Path(__file__).parent.glob("[a-z]*.py")}
    if unknown := [name for name in names if name not in known]:
        print(f"There is no benchmark {', '.join(unknown)}. There are: {', '.join(sorted(known))}.", file=sys.stderr)
        return 2
    for name in names or QUICK:
        print(f"== {name}", flush=True)
        code = subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=False).returncode
        if code:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
