"""The command line as `python -m ttr_sim`, for where the script `ttr-sim` is not on the path."""

import sys

from ttr_sim.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
