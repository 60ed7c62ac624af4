"""An external bot that does what its first argument says; uses nothing of ttr-sim."""

import json
import os
import sys
import time

how = sys.argv[1] if len(sys.argv) > 1 else ""
games = decisions = 0


def say(answer):
    print(json.dumps(answer), flush=True)


if how == "early":
    sys.exit(7)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"protocol": 2 if how == "version" else 1})
    elif message["type"] == "game":
        games, decisions = games + 1, 0
        print(f"game {games} of process {os.getpid()}", file=sys.stderr)
    elif message["type"] == "decide":
        decisions += 1
        last = message["legal"][-1]["action"]
        if decisions < 5 or how in ("", "early", "version"):
            say({"action": last})
        elif how == "crash":
            raise ValueError("no idea")
        elif how == "kill":
            os.kill(os.getpid(), 9)
        elif how == "garbage":
            print("take red, please", flush=True)
        elif how == "noise":
            os.write(1, os.urandom(100) + b"\n")
        elif how == "silence":
            time.sleep(60)
        elif how == "close":
            os.close(1)
            time.sleep(60)
        elif how == "illegal":
            say({"action": 387})
        elif how == "text":
            say({"action": "claim"})
        elif how == "nothing":
            say([last])
        elif how == "twice":
            os.write(1, b'{"action": %d}\n{"action": %d}\n' % (last, last))
        elif how == "endless":
            while True:
                os.write(1, b"x" * 65536)
        elif how == "shout":
            os.write(2, b"y" * 3_000_000 + b"\n")
            say({"action": last})
