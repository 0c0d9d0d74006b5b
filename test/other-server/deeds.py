"""What is done once per key, however often it is asked for."""

import time

from house import DOUBT, Deed


def once(call, name, run):
    """What has come of a key by now; who comes while it is under way waits for that."""
    fault, deeds = call.world.fault, call.house.deeds
    if name is None or fault == "deed-repeats":
        return run()()
    with call.world.lock:
        deed = deeds.get(name)
        mine = deed is None
        if mine and fault != "deed-claimed-late":
            deeds[name] = deed = Deed()
    if fault == "deed-claimed-late" and mine:
        time.sleep(0.02)
        deeds[name] = deed = Deed()
    if mine or (deed.doubted and fault == "doubt-forgotten"):
        deed.receipt = run()
        deed.over.set()
        return deed.receipt()
    if "busy" in call.world.ways and not deed.over.is_set():
        return 409, {"error": "REQUEST_IN_PROGRESS, come again."}
    deed.over.wait(10)
    return DOUBT if deed.doubted else deed.receipt()
