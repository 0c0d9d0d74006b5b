"""Whether a value fits a JSON Schema, as far as the schemas of the menu go."""

import re

TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool) and value == int(value),
    "null": lambda value: value is None,
}


def same(one, other):
    """True is not 1 here, as it is in Python."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def fits(schema, value, root=None):
    root = schema if root is None else root
    if "$ref" in schema:
        target = root
        for step in schema["$ref"].split("/")[1:]:
            target = target[step]
        if not fits(target, value, root):
            return False
    if "type" in schema and not TYPES[schema["type"]](value):
        return False
    if "const" in schema and not same(schema["const"], value):
        return False
    if "enum" in schema and not any(same(one, value) for one in schema["enum"]):
        return False
    if "oneOf" in schema and sum(fits(one, value, root) for one in schema["oneOf"]) != 1:
        return False
    return all(rule(schema, value, root) for kind, rule in RULES if isinstance(value, kind))


def text(schema, value, root):
    return schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value)) and (
        "pattern" not in schema or re.search(schema["pattern"], value) is not None
    )


def number(schema, value, root):
    return isinstance(value, bool) or schema.get("minimum", value) <= value <= schema.get("maximum", value)


def items(schema, value, root):
    within = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
    return within and all(fits(schema.get("items", {}), item, root) for item in value)


def members(schema, value, root):
    known = schema.get("properties", {})
    if schema.get("additionalProperties") is False and value.keys() - known:
        return False
    return set(schema.get("required", ())) <= value.keys() and all(
        fits(known[name], value[name], root) for name in value.keys() & known
    )


RULES = ((str, text), ((int, float), number), (list, items), (dict, members))
