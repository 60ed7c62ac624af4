"""A run whose bots, city and board are named like an attack, in which one bot tells what it thinks."""

from __future__ import annotations

from pathlib import Path

from ttr_sim.cli.main import main

SCRIPT = "<script>alert(1)</script>"
BOT = """
from ttr_sim.bot import Bot

class Thinker(Bot):
    def choose(self, view):
        self.told = [(a, {"visits": i + 1, "expected score": self.rng.random() * 50}) for i, a in enumerate(view.legal)]
        if self.rng.random() < 0.004:
            raise RuntimeError("</script><script>alert(2)</script>")
        return max(self.told, key=lambda pair: pair[1]["expected score"])[0]

    def explain(self):
        return self.told
"""


def evil_run(folder: Path) -> Path:
    """Play 20 games into folder/run: a bot with a tag in its name against greedy, on a board of one's own."""
    board = folder / "my-board"
    assert main(["boards", "new", str(board)]) == 0
    cities = board / "cities.csv"
    cities.write_text(cities.read_text().replace("harbour,Harbour,", f"harbour,{SCRIPT},"))
    facts = board / "board.toml"
    facts.write_text(facts.read_text().replace("My board", f"{SCRIPT} & Co"))
    bot = folder / "<img src=x onerror=alert(1)>.py"
    bot.write_text(BOT)
    command = ["run", "--bots", f"{bot},greedy", "--board", str(board), "--rules", "europe", "--games", "20"]
    assert main([*command, "--explain", "--workers", "1", "--quiet", "--out", str(folder / "run")]) == 0
    return folder / "run"
