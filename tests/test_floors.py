"""The floors of the house: a part imports from the floors below it, heavy libraries stay in their place."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "ttr_sim"

FLOORS = {
    "errors": 0,
    "paths": 0,
    "files": 0,
    "board": 0,
    "board_facts": 0,
    "rules": 0,
    "engine": 1,
    "bot": 2,
    "stats": 2,
    "tournament": 3,
    "results": 3,
    "bench": 4,
    "reports": 4,
    "envs": 4,
    "api": 5,
    "cli": 6,
    "__main__": 7,
}
# On one floor: the ground floor is one room, a tournament writes results, and benchmarks measure environments (never the
# other way round).
SAME_FLOOR = {("tournament", "results"), ("bench", "envs")}
NEVER_OURS = {"stats"}

FILES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path, *, top_level: bool = False) -> Iterator[str]:
    """Yield the full name of every imported module; `top_level` leaves out those inside functions."""
    nodes: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = list(path.relative_to(ROOT).parts[: -node.level]) if node.level else []
            module = ".".join([*base, node.module] if node.module else base)
            # `from ttr_sim import board` imports the part `board`, not all of the package.
            yield from (
                (f"{module}.{alias.name}" for alias in node.names) if module == "ttr_sim" else (module,)
            )
        if not (top_level and isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))):
            nodes.extend(ast.iter_child_nodes(node))


def test_every_part_has_a_floor() -> None:
    assert {part_of(path) for path in FILES} <= set(FLOORS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_only_from_below(path: Path) -> None:
    own = part_of(path)
    for module in imports(path):
        names = module.split(".")
        if names[0] != "ttr_sim" or names[1:] in ([], ["__version__"]) or names[1] == own:
            continue
        part = names[1]
        below = FLOORS[part] < FLOORS[own] or FLOORS[own] == 0 == FLOORS[part]
        assert own not in NEVER_OURS, f"{own} imports {module}, must import nothing of ours"
        assert below or (own, part) in SAME_FLOOR, f"{own} imports {module} from its own floor or above"


@pytest.mark.parametrize("path", sorted((PACKAGE / "engine").rglob("*.py")), ids=lambda path: path.name)
def test_the_engine_needs_numba_and_numpy_only(path: Path) -> None:
    # llvmlite is the part of Numba that intrinsics are written with.
    allowed = {"llvmlite", "numba", "numpy", "ttr_sim"} | set(sys.stdlib_module_names)
    # platformdirs finds the user's folder for the compiled kernels.
    outside = {module.split(".")[0] for module in imports(path)} - allowed
    assert outside <= ({"platformdirs"} if path.name == "jit.py" else set())


@pytest.mark.parametrize("part", ["board.py", "rules.py", "engine", "bot", "tournament"])
def test_no_tables_in_workers(part: str) -> None:
    path = PACKAGE / part
    for file in [path] if path.suffix else path.rglob("*.py"):
        heavy = {name.split(".")[0] for name in imports(file, top_level=True)} & {
            "polars",
            "pyarrow",
            "click",
        }
        assert not heavy, f"{file.name} imports {heavy} when it is imported"


def test_importing_the_command_line_is_light() -> None:
    heavy = {"numba", "numpy", "polars", "pyarrow", "tqdm"}
    code = f"import sys, ttr_sim.cli.main; print(*{heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == ""
