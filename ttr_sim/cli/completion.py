"""`ttr-sim completion`: the script that lets a shell complete commands, options, bots, boards and rules."""

import os
from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ZshComplete,
    add_completion_class,
    get_completion_class,
)

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
    """Let click use our classes."""
    for made in (SplitBash, OpenZsh, CommaFish):
        add_completion_class(made)


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


class OpenZsh(ZshComplete):
    """Completion in zsh, without a space behind what goes on: a parameter's name, a folder."""

    source_template = """\
#compdef %(prog_name)s
%(complete_func)s() {
    local kind key about
    local -a response plain described open open_described
    response=("${(@f)$(env COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT-1)) \\
        %(complete_var)s=zsh_complete %(prog_name)s 2>/dev/null)}")
    for kind key about in ${response}; do
        if [[ $kind == dir ]]; then
            _path_files -/
        elif [[ $kind == file ]]; then
            _path_files -f
        elif [[ $about == _ ]]; then
            [[ $key == *[=/] ]] && open+=("$key") || plain+=("$key")
        else
            [[ $key == *= ]] && open_described+=("$key:$about") || described+=("$key:$about")
        fi
    done
    (( $#described )) && _describe -V unsorted described -U
    (( $#open_described )) && _describe -V unsorted open_described -U -S ''
    (( $#plain )) && compadd -U -V unsorted -a plain
    (( $#open )) && compadd -U -S '' -V unsorted -a open
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    %(complete_func)s "$@"
else
    compdef %(complete_func)s %(prog_name)s
fi
"""


class CommaFish(FishComplete):
    """Completion in fish, whose suggestions may have commas in them."""

    source_template = """\
function %(complete_func)s
    for line in (env COMP_WORDS=(commandline -cp) COMP_CWORD=(commandline -t) \\
        %(complete_var)s=fish_complete %(prog_name)s 2>/dev/null)
        set -l parts (string split -m 1 "," $line)
        if test $parts[1] = dir
            __fish_complete_directories $parts[2]
        else if test $parts[1] = file
            __fish_complete_path $parts[2]
        else if test $parts[1] = plain
            echo $parts[2]
        end
    end
end
complete --no-files --command %(prog_name)s --arguments "(%(complete_func)s)"
"""


def _split(line: str) -> list[str]:
    from click import shell_completion

    split: Any = vars(shell_completion)[
        "split_arg_string"
    ]  # its home differs between versions, and so do their types
    words: list[str] = split(line)
    return words
