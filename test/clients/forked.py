"""Runs a client that is started anew for each step as a driver: each step is a fork that has everything imported.

`touchstone client --driver -- python3 -E -S forked.py client.py PREFIX`
"""

import codecs  # noqa: F401
import http.client  # noqa: F401
import json
import os
import re  # noqa: F401
import sys
import traceback
import urllib.parse  # noqa: F401

path, prefix = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    client = compile(file.read(), path, "exec")

for line in sys.stdin:
    step = json.loads(line)
    child = os.fork()
    if child == 0:
        os.environ[f"{prefix}_BASE_URL"] = step["baseUrl"]
        os.environ[f"{prefix}_API_KEY"] = step["apiKey"]
        os.environ["TOUCHSTONE_AGENT"] = step["agent"]
        os.environ["TOUCHSTONE_TASK"] = json.dumps(step["task"])
        try:
            exec(client, {"__name__": "__main__"})
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(child, 0)
    print("touchstone", json.dumps({"end": step["id"]}), flush=True)
