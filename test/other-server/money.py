"""What billing reads show."""

BILLS = [
    {
        "bill": f"{2026 - number // 12}-{12 - number % 12:02d}",
        "sum": 40 + number,
        "paid": ("by card", "by transfer", "not yet")[number % 3],
    }
    for number in range(7)
]
CONTRACTS = {
    "acme": ("in good standing", "Full board"),
    "elsewhere": ("on trial", "Half board"),
    "broke": ("past due", "Bed"),
}


def usage(call):
    left = call.world.left_lately(call.key.account) if "usage-lags" in call.world.ways else call.world.left(call.key.account)
    if call.world.fault == "usage-rounded":
        left = round(left)
    credits = {"spent_per_day": [], "remaining": left}
    if "usage-deeper" in call.world.ways:
        return 200, {"periods": {"current": {"name": "this month", "credits": credits}}}
    return 200, {"period": "this month", "credits": credits}


def contract(call):
    name = "display_name" if "plan-in-snake" in call.world.ways else "displayName"
    status, plan = CONTRACTS[call.key.account]
    body = {"plan": {name: plan, "id": 3}, "status": status}
    if call.world.fault == "card-on-contract":
        body["paid_with"] = {"card": {"brand": "Visa", "last4": "4242", "exp_month": 4, "exp_year": 2031}}
    return 200, body


def tariffs(call):
    names = ("Bed", "Half board", "Full board")
    return 200, {"tariffs": {"shown": [{"displayName": name} for name in names], "hidden": []}}


def bills(call):
    """Whatever is no number from 1 on counts as 1."""
    asked = call.query.get("limit", ["5"])[0]
    limit = max(1, int(asked)) if asked.isdigit() else 1
    if call.world.fault == "limit-ignored":
        limit = len(BILLS)
    return 200, {"more": limit < len(BILLS), "bills": BILLS[:limit]}
