"""`ttr-sim completion`: the script that lets a shell complete commands, options, bots, boards and rules."""

import os
from typing import Any

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command(epilog="Example: ttr-sim completion bash >> ~/.bashrc")
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script that turns on completion with the Tab key.

    bash: put it into ~/.bashrc; zsh: into ~/.zshrc, behind compinit; fish: into
    ~/.config/fish/completions/ttr-sim.fish. It completes commands, options, and in them bots with their parameters and
    values (greedy,mcts:iter...), boards, rules and their options, tournaments, files and folders.
    """
    from ttr_sim.cli.main import COMPLETE, commands

    click.echo(script(commands, shell, COMPLETE))


def script(commands: click.Command, shell: str, variable: str) -> str:
    """Return the script for a shell; it sets the environment variable when it asks."""
    register()
    made = get_completion_class(shell)
    assert made is not None
    return made(commands, {}, "ttr-sim", variable).source()


def register() -> None:
    """Let click ask our class about bash."""
    add_completion_class(SplitBash, "bash")


class SplitBash(BashComplete):
    """Completion in bash, which takes `mcts:iterations=5` for five words: it cuts at : and =.

    The script hands over the line as it is; suggestions are cut where bash cuts, because it replaces only what
    stands behind the cut.
    """

    source_template = """\
%(complete_func)s() {
    local IFS=$'\\n' kind value
    COMPREPLY=()
    while IFS=',' read -r kind value; do
        if [[ $kind == dir ]]; then
            compopt -o dirnames
        elif [[ $kind == file ]]; then
            compopt -o default
        elif [[ $kind == plain ]]; then
            COMPREPLY+=("$value")
        fi
    done < <(env TTR_SIM_LINE="${COMP_LINE:0:COMP_POINT}" TTR_SIM_WORD="${COMP_WORDS[COMP_CWORD]}" \\
        %(complete_var)s=bash_complete "$1" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=/] ]]; then
        compopt -o nospace
    fi
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor, without the program, and the one that was begun."""
        line, word = os.environ["TTR_SIM_LINE"], os.environ["TTR_SIM_WORD"]
        words = _split(line)[1:]
        begun = words.pop() if words and not line[-1:].isspace() else ""
        behind = "" if word in (":", "=") else word
        self._cut = len(begun) - len(behind) if begun.endswith(behind) else 0
        return words, begun

    def format_completion(self, item: CompletionItem) -> str:
        """Return a suggestion as the script reads it."""
        value: str = item.value[self._cut :] if item.type == "plain" else item.value
        return f"{item.type},{value}"


def _split(line: str) -> list[str]:
    from click import shell_completion

    split: Any = shell_completion.split_arg_string  # type: ignore[attr-defined]  # its home differs between versions
    words: list[str] = split(line)
    return words
