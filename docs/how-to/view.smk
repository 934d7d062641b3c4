# The pictures of view.md, taken of the page in a real Chromium.
#   .venv/bin/snakemake -s docs/how-to/view.smk --cores 1

import sys
from pathlib import Path

NAMES = ("hand", "hexagons", "torus", "why", "guess", "watch", "many", "impossible", "widget")


rule pictures:
    input:
        "docs/how-to/view.py",
        "workflow/notebooks/view_a_game.ipynb",
        sorted(map(str, Path("msdensity/viewer").rglob("*.[pjch]*"))),
    output:
        expand("docs/how-to/view/{name}.png", name=NAMES),
    params:
        python=sys.executable,
    shell:
        "{params.python} docs/how-to/view.py"
