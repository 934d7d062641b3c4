"""`python -m msdensity` is the command `msdensity`."""

import sys

from msdensity.cli import main

sys.exit(main())
