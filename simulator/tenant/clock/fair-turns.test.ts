import { expect, test } from 'vitest'
import { FairTurns } from './fair-turns.ts'

interface Item {
  readonly place: string
  readonly name: string
  /** How long it takes, in ms. */
  readonly ms: number
  readonly fails?: boolean
}

/** `count` items of a place, such as a1, a2 … */
const items = (place: string, count: number, ms: number): readonly Item[] =>
  Array.from({ length: count }, (_, at) => ({ place, name: `${place}${at + 1}`, ms }))

/** What runs in each turn of an event loop to which all items come in its first turn; and what was thrown. */
function turnsOf(all: readonly Item[]): { turns: readonly (readonly string[])[]; thrown: readonly string[] } {
  let now = 0
  let next: (() => void) | undefined
  const turns: string[][] = [[]]
  const thrown: string[] = []
  const places = new Map(all.map(({ place }) => [place, {}]))
  const fair = new FairTurns({ elapsed: () => now, afterThisTurn: (run) => void (next = run) })
  const attempt = (run: () => void): void => {
    try {
      run()
    } catch (error) {
      thrown.push(String(error))
    }
  }
  for (const { place, name, ms, fails = false } of all)
    attempt(() =>
      fair.run(places.get(place) ?? {}, () => {
        now += ms
        turns.at(-1)?.push(name)
        if (fails) throw new Error(name)
      }),
    )
  while (next) {
    const run = next
    next = undefined
    turns.push([])
    attempt(run)
  }
  return { turns: turns.filter((names) => names.length > 0), thrown }
}

test.for([
  ['what fits into a turn runs at once, in the order in which it came', 0.2, ['a1 a2 a3 b1']],
  ['what does not fit runs in later turns, one of each place in turn', 0.8, ['a1 a2', 'a3 b1']],
  ['an item longer than a share has a turn of its own', 4, ['a1', 'a2', 'b1', 'a3']],
] as const)('%s', ([, ms, expected]) => {
  const { turns } = turnsOf([...items('a', 3, ms), ...items('b', 1, ms)])
  expect(turns.map((names) => names.join(' '))).toEqual(expected)
})

test('a place with 1,000 items delays one of another by no more than a share', () => {
  const { turns } = turnsOf([...items('many', 1_000, 0.25), ...items('one', 1, 0.25)])
  const at = turns.findIndex((names) => names.includes('one1'))
  expect(turns.slice(0, at).flat()).toHaveLength(4)
  expect(turns[at]?.indexOf('one1')).toBe(1)
  expect(turns.every((names) => names.length <= 4)).toBe(true)
})

test('small items of a place do not wait for as many turns as there are places with large ones', () => {
  const large = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((place) => items(place, 3, 4))
  const { turns } = turnsOf([...large, ...items('small', 5, 0.1)])
  expect(turns.findIndex((names) => names.includes('small5'))).toBeLessThan(8)
})

test('the items of a place run in the order in which they came', () => {
  const [many, few] = [items('many', 100, 0.5), items('few', 10, 0.5)]
  const mixed = many.flatMap((item, at) => [item, ...few.slice(at, at + 1)])
  const ran = turnsOf(mixed).turns.flat()
  for (const one of [many, few])
    expect(ran.filter((name) => one.some((item) => item.name === name))).toEqual(one.map(({ name }) => name))
})

test('one that throws does not keep the others from their turn', () => {
  const all = [...items('a', 6, 0.8), ...items('b', 2, 0.8)].map((item) => ({
    ...item,
    fails: ['a1', 'a3', 'a6'].includes(item.name),
  }))
  const { turns, thrown } = turnsOf(all)
  expect(turns.flat().toSorted()).toEqual(all.map(({ name }) => name))
  expect(thrown).toEqual(['Error: a1', 'Error: a3', 'Error: a6'])
})
