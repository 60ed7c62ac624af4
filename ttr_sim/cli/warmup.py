"""`ttr-sim warmup`: compile the engine before it is needed."""

import click

from ttr_sim.cli.output import json_option, print_json
from ttr_sim.tournament.prepare import ensure_warm


@click.command(epilog="Example: ttr-sim warmup")
@json_option
def warmup(as_json: bool) -> None:
    """Compile the engine and the built-in bots for this processor, so that the next commands start at once.

    The first run does the same. The compiled code is kept in a cache folder of the user; TTR_SIM_CACHE names another.
    """
    from ttr_sim.bot.warm import built_in
    from ttr_sim.engine.jit import cache_root

    kernels, seconds = ensure_warm(bots=built_in(), load=True)
    if as_json:
        print_json({"kernels_compiled": kernels, "seconds": round(seconds, 3), "folder": str(cache_root())})
    elif kernels:
        click.echo(f"compiled {kernels} kernels in {seconds:.1f} s; kept in {cache_root()}")
    else:
        click.echo(f"all kernels are compiled; kept in {cache_root()}")
