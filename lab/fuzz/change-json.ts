/** Changes of JSON that leave it JSON, mostly: one or a few of its values become others. */
import { changeBytes } from './change-bytes.ts'
import type { Draw } from './draw.ts'
import { bytesOf, type Surface } from './surface.ts'

/** Texts of values, because some cannot be had by `JSON.stringify`. */
const values: readonly string[] = [
  'null', 'true', 'false', '0', '-0', '-1', '1', '0.1', '1e999', '-1e999', '1e-999', '1e21', '2147483648',
  '9007199254740993', '123456789012345678901234567890', '""', '" "', '"a"', '"\\u0000"', '"\\ud800"',
  '"\\udc00x"', '"\\u2028"', '"\\ufeff"', '"é😀"', '"__proto__"', '"constructor"', '"toString"', '"null"', '"/"',
  '"2026-13-99T99:99:99Z"', '"2026-01-01T00:00:00+25:00"', '"00000000-0000-0000-0000-000000000000"',
  '"http://[::1"', '"//"', '"javascript:"', '"http://127.0.0.1:1/"', '"a\\r\\nb: c"', '[]', '{}', '[[]]',
  '[null]', '{"":{}}', '{"a":1,"a":2}', '{"__proto__":{"type":"x"}}', '{"__proto__":null}',
  '{"constructor":{"prototype":1}}', '{"toString":1,"valueOf":2}', '{"length":-1}', '{"then":1}',
  `"${'a'.repeat(10_001)}"`, `[${'0,'.repeat(3_000)}0]`, `${'['.repeat(300)}${']'.repeat(300)}`,
  `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`,
] // prettier-ignore

/** Deeper than any recursion goes. Rare, because they are long. */
const deep: readonly string[] = [
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  '['.repeat(100_000),
]

type Holder = Record<string, unknown>

/** Every place of a value, as who holds it and under which name. */
function placesIn(root: Holder): [Holder, string][] {
  const places: [Holder, string][] = []
  const look = (holder: Holder): void => {
    for (const name of Object.keys(holder)) {
      places.push([holder, name])
      const inner = holder[name]
      if (typeof inner === 'object' && inner !== null) look(inner as Holder)
    }
  }
  look(root)
  return places
}

/** The text of a value with one to a few places changed. The value itself is changed, too: give a copy. */
export function changeValue(value: unknown, draw: Draw): string {
  const root: Holder = { value }
  const raw: string[] = []
  for (let left = draw.chance(70) ? 1 : 1 + draw.below(5); left > 0; left--) {
    const places = placesIn(root)
    const [holder, name] = draw.from(places)
    const way = draw.below(10)
    const old = holder[name]
    if (way === 0 && holder !== root) delete holder[name]
    else if (way === 1) holder[name] = [old, old]
    else if (way === 2) holder[name] = { [name]: old }
    else if (way === 3) {
      const [other, its] = draw.from(places)
      holder[name] = structuredClone(other[its])
    } else if (way === 4 && holder !== root) {
      delete holder[name]
      holder[draw.from(['', 'x', name.toUpperCase(), `${name} `, `${name}\0`])] = old
    } else if (way === 5 && typeof old === 'string') holder[name] = cutText(old, draw)
    else {
      holder[name] = `@@${raw.length}@@`
      raw.push(draw.chance(2) ? draw.from(deep) : draw.from(values))
    }
  }
  const text = JSON.stringify(root['value']) ?? ''
  return raw.length === 0
    ? text
    : text.replace(/"@@(\d+)@@"/g, (_, number: string) => raw[Number(number)] ?? '')
}

function cutText(text: string, draw: Draw): string {
  const at = draw.below(text.length + 1)
  return (
    text.slice(0, at) +
    draw.from(['', 'x', ' ', '\0', '\ud800', 'é', '9', '-', '/', ':']) +
    text.slice(at + draw.below(3))
  )
}

/** A changed text of JSON, or null where it is none. */
export function changeJson(text: string, draw: Draw): string | null {
  try {
    return changeValue(JSON.parse(text), draw)
  } catch {
    return null
  }
}

/** Input that stays JSON in so many of a hundred cases, where its seed is JSON; else it is changed as any bytes are. */
export const mostlyJson =
  (percent: number): Surface['change'] =>
  (seed, draw, others) => {
    const text = draw.chance(percent) ? changeJson(Buffer.from(seed).toString(), draw) : null
    return text === null ? changeBytes(seed, draw, others) : bytesOf(text)
  }
