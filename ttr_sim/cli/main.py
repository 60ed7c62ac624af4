"""The `ttr-sim` command: the table of commands, and the one place that turns errors into exit codes."""

import contextlib
import importlib
import io
import os
import sys
import traceback
from collections.abc import Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem

from ttr_sim import __version__
from ttr_sim.errors import RunFailed, TtrError, unknown

# Command -> (module:function, line in the help). A module is imported when its command is used.
COMMANDS = {
    "run": ("ttr_sim.cli.run:run", "Play a tournament and print who is better."),
    "leaderboard": ("ttr_sim.cli.leaderboard:leaderboard", "Show the ratings of one or several runs."),
    "report": ("ttr_sim.cli.report:report", "Write a balance report of runs as a page."),
    "check": ("ttr_sim.cli.check:check", "Test whether a changed bot became weaker: a gate for CI."),
    "merge": ("ttr_sim.cli.merge:merge", "Join the shards of a run, or runs with different seeds."),
    "verify": ("ttr_sim.cli.verify:verify", "Replay every logged game and compare it with the tables."),
    "replay": ("ttr_sim.cli.replay:replay", "Show a logged game turn by turn, as text or as a page."),
    "view": ("ttr_sim.cli.view:view", "Browse the games of a run in the browser."),
    "play": ("ttr_sim.cli.play:play", "Play against bots in the terminal."),
    "bots": ("ttr_sim.cli.bots:bots", "List, show, start, check and ask bots."),
    "tune": ("ttr_sim.cli.tune:tune", "Find parameter values of a bot by playing."),
    "boards": ("ttr_sim.cli.boards:boards", "List, show, check and start boards."),
    "rules": ("ttr_sim.cli.rules:rules", "List, show and compare rules presets."),
    "bench": ("ttr_sim.cli.bench:bench", "Measure the speed of the engine and the bots."),
    "schema": ("ttr_sim.cli.schema:schema", "Show the columns of the tables of a run."),
    "completion": (
        "ttr_sim.cli.completion:completion",
        "Print the script that completes words in your shell.",
    ),
    "warmup": ("ttr_sim.cli.warmup:warmup", "Compile the engine for this processor, once."),
}


COMPLETE = "_TTR_SIM_COMPLETE"  # set by the shell that asks what may follow


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports the one that is used."""

    def __init__(self, *args: Any, lazy: Mapping[str, tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command. Raises TtrError for an unknown name, but not while the shell completes one."""
        if cmd_name not in self.lazy:
            if COMPLETE in os.environ:
                return None
            raise unknown("command", cmd_name, self.lazy)
        module, _, function = self.lazy[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), function)
        assert isinstance(command, click.Command)
        if COMPLETE in os.environ:
            from ttr_sim.cli.complete import attach

            attach(command, cmd_name)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Suggest commands without importing them, and options."""
        names = [CompletionItem(n, help=t) for n, (_, t) in self.lazy.items() if n.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.lazy.items()])


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    invoke_without_command=True,
    epilog="Example: ttr-sim boards show europe",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="ttr-sim", message="%(prog)s %(version)s")
@click.pass_context
def commands(ctx: click.Context) -> None:
    """Play tournaments of Ticket to Ride between bots and say who is better, and how sure that is.

    Exit codes: 0 fine, 1 the answer is no, 2 wrong usage or configuration, 3 the run failed, 4 check is undecided,
    130 stopped by Ctrl-C.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(args: list[str] | None = None) -> int:
    """Run the command line and return the exit code; a command returns its own, or None for 0."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a city's name must not break a poor terminal
    if COMPLETE in os.environ:
        from ttr_sim.cli.completion import register

        register()
    try:
        code = commands.main(args, prog_name="ttr-sim", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.UsageError as error:
        return _fail(error.format_message(), 2, error.ctx)
    except click.ClickException as error:
        return _fail(error.format_message(), 2)
    except RunFailed as error:
        return _fail(str(error), 3)
    except TtrError as error:
        return _fail(str(error), 2)
    except (click.Abort, KeyboardInterrupt):
        return _fail("stopped", 130)
    except BrokenPipeError:
        # The reader went away (`| head`): nothing more to say, also not when Python flushes at its end.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception:
        traceback.print_exc()
        return _fail("this is a bug in ttr-sim; please report it with the lines above", 3)


def _fail(message: str, code: int, ctx: click.Context | None = None) -> int:
    command = ctx.command_path if ctx else "ttr-sim"
    hint = f" (see {command} --help)" if ctx else ""
    click.echo(f"{command}: {' '.join(message.splitlines())}{hint}", err=True)
    return code
