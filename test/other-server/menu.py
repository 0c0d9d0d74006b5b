"""The operations that there are: who may, with what, and what comes of it."""

import time
from dataclasses import dataclass

from house import DOUBT, failed, receipt
from world import AGENTS


@dataclass(frozen=True)
class Dish:
    does: object
    takes: dict
    scope: str = ""
    writes: bool = False


def of(properties, required=(), **more):
    """A schema whose members stand behind references."""
    refer = {name: {"$ref": f"#/$defs/{name}"} for name in properties}
    inner = {"type": "object", "properties": refer, "required": list(required), "additionalProperties": False}
    return {"$ref": "#/$defs/all", "$defs": {**properties, "all": inner}, **more}


AGENT = {"type": "string", "minLength": 1, "maxLength": 64}
MOOD = {"oneOf": [{"const": "glad"}, {"const": "sad"}, {"type": "integer", "minimum": 1, "maximum": 5}]}
LINE = {"type": "string", "minLength": 1, "maxLength": 200}
GUESTS = {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 30}, "maxItems": 4}


def done(**data):
    found = receipt("completed", data=data)
    return lambda: found


def sign(call, given):
    with call.world.lock:
        if call.world.fault == "line-shorter" and len(given["line"]) > 80:
            return lambda: failed("UNFIT", "Compare it with what the menu says.")
        time.sleep(0.01)
        later = 1.5 if "shown-late" in call.world.ways else 0
        call.house.lines.append((call.world.now() + later, given))
        return done(page=len(call.house.lines))


def read(call, given):
    lines = [line for shows, line in call.house.lines if shows <= call.world.now()]
    return done(lines=lines[given.get("from", 0) :])


def evict(call, given):
    question = call.world.desk.ask(call.key.account, lambda: call.house.evicted.append(given["guest"]))

    def told():
        call.world.desk.go_on(question)
        return question.receipt()

    return told


def bake(call, given):
    """Straight to its end; nobody sees it running."""

    def work():
        call.house.loaves += given.get("loaves", 1)

    return call.world.desk.begin(call.key.account, ((2, "completed"),), work).receipt


def carve(call, given):
    plan = ((0.3, "input_required"), (0.5, "running"), (0.7, "failed"))
    return call.world.desk.begin(call.key.account, plan).receipt


def cash(call, given):
    call.house.cheques.append(given["sum"])
    return lambda: DOUBT


def rehearse(call, given):
    """With one agent, who has to be there."""
    plan = ((1, "running"), (2, "completed"))
    return call.world.desk.begin(call.key.account, plan, agent=given["agentId"]).receipt


def light(call, given):
    refused = failed("OVEN_SILENT", "The oven did not answer in time: ask again in a while.")
    return lambda: refused


def overdraw(call, given):
    code, data = failed("TILL_EMPTY", "Fill the till, then ask again.")
    if call.world.fault == "failure-without-advice":
        del data["error"]["resolution"]
    return lambda: (code, data)


def design_of(call, agent):
    return call.house.on_stage.setdefault(agent, {"who": agent, "tone": "plain", "edition": 1})


def reach(call, agent):
    """A refusal, where the key does not get to this agent."""
    foreign = agent not in AGENTS or AGENTS[agent].account != call.key.account
    away = call.key.agent not in ("", agent) and call.world.fault != "inspection-anywhere"
    return failed("OUT_OF_REACH", "Choose an agent of yours.") if foreign or away else None


def inspect(call, given):
    agent = given.get("agentId", "")
    if "inspection-later" in call.world.ways:
        return call.world.desk.begin(call.key.account, ((1, "completed"),)).receipt
    shown = dict(design_of(call, agent))
    return done(on_stage=shown, rehearsed=call.house.rehearsed.get(agent))


def sketch(call, given):
    design = {"who": given["agentId"], "tone": given["tone"], "edition": design_of(call, given["agentId"])["edition"] + 1}
    call.house.rehearsed[given["agentId"]] = design
    if call.world.fault == "sketch-goes-live":
        call.house.on_stage[given["agentId"]] = design
    return done(rehearsed=design)


MENU = {
    "agent_setup.inspect": Dish(inspect, of({"agentId": AGENT}, ["agentId"]), "agent_design_read"),
    "agent_setup: sketch": Dish(
        sketch, of({"agentId": AGENT, "tone": LINE}, ["agentId", "tone"]), "agent_design_read", True
    ),
    "guest book/read": Dish(read, of({"from": {"type": "integer", "minimum": 0, "maximum": 3}})),
    "guest book/sign": Dish(sign, of({"line": LINE, "mood": MOOD, "guests": GUESTS}, ["line"]), "", True),
    "guests~evict": Dish(evict, of({"guest": LINE}, ["guest"]), "", True),
    "guests~evicted": Dish(lambda call, given: done(how_many=len(call.house.evicted)), of({})),
    "bread & butter": Dish(bake, of({"loaves": {"type": "integer", "minimum": 1, "maximum": 9}}), "", True),
    "bread on the shelf": Dish(lambda call, given: done(loaves=call.house.loaves), of({})),
    "lost & found": Dish(lambda call, given: done(umbrellas=[]), of({})),
    "roast?carve": Dish(carve, of({}), "", True),
    "7": Dish(cash, of({"sum": {"type": "integer", "minimum": 1, "maximum": 900}}, ["sum"]), "", True),
    "8": Dish(lambda call, given: done(cashed=list(call.house.cheques)), of({})),
    "rehearse": Dish(rehearse, of({"agentId": AGENT}, ["agentId"]), "agent_design_read", True),
    "light the oven": Dish(light, of({})),
    "9": Dish(overdraw, of({})),
    "larder": Dish(
        lambda call, given: done(papers=len(call.house.papers), sheets=list(map(len, call.house.sheets))), of({})
    ),
}
