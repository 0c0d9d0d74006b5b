/**
 * No verdict changes without a reviewed line in verdicts.json. GOLDEN=write records what has changed; CI runs both seeds,
 * and `npm test` one.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { jobs, verdictsOf, type Golden, type Job, type Verdicts } from './golden.ts'

const path = new URL('verdicts.json', import.meta.url)
const golden = (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}) as Golden
const isWritten = process.env['GOLDEN'] === 'write'
const seeds = isWritten || process.env['CI'] ? [1, 2] : [1]

/** A race may end otherwise on a busy machine: a verdict counts as kept if one of so many runs has it. */
const runs = 4

type Found = ReadonlyMap<string, ReadonlySet<string>>

const nameOf = (job: string, seed: number): string => (seed === 1 ? job : `${job}, seed ${seed}`)

/** What a run is compared with, beside its own lines. */
function basesOf(job: string, seed: number): readonly string[] {
  return [...(job.startsWith('variants ') ? ['simulator'] : []), ...(seed === 1 ? [] : [job])]
}

const merged = (names: readonly string[]): Verdicts =>
  Object.assign({}, ...names.map((name) => golden[name] ?? {}))

function parsed(verdicts: Verdicts): Found {
  const checks = new Map<string, ReadonlySet<string>>()
  for (const [scenario, text] of Object.entries(verdicts))
    for (const group of text.split('; ')) {
      const [words = '', ...clauses] = group.split(' ')
      for (const clause of clauses) checks.set(`${scenario}/${clause}`, new Set(words.split('|')))
    }
  return checks
}

function written(found: Found): Verdicts {
  const scenarioOf = (check: string): string => check.slice(0, check.lastIndexOf('/'))
  const scenarios = Map.groupBy([...found.keys()].sort(), scenarioOf)
  return Object.fromEntries(
    [...scenarios].map(([scenario, checks]) => {
      const groups = Map.groupBy(checks, (check) => [...(found.get(check) ?? [])].sort().join('|'))
      const texts = [...groups].map(([words, own]) =>
        [words, ...own.map((check) => check.split('/').at(-1))].join(' '),
      )
      return [scenario, texts.sort().join('; ')]
    }),
  )
}

/** What is not as recorded, a line a check. */
function differences(found: Found, recorded: Found): readonly string[] {
  const lines = [...found].flatMap(([check, verdicts]) => {
    const known = recorded.get(check)
    const isKnown = [...verdicts].some((verdict) => known?.has(verdict))
    return isKnown
      ? []
      : [`${check}: ${[...verdicts].join('|')}, recorded ${[...(known ?? ['nothing'])].join('|')}`]
  })
  const gone = [...recorded.keys()].filter((check) => !found.has(check))
  return [
    ...lines,
    ...gone.map((check) => `${check}: no verdict, recorded ${[...(recorded.get(check) ?? [])].join('|')}`),
  ]
}

const recordedRuns = new Map<string, Found>()

async function judged(name: string, job: Job, seed: number): Promise<readonly string[]> {
  const recorded = parsed(merged([...basesOf(name, seed), nameOf(name, seed)]))
  const all = []
  for (let run = 0; run < runs; run += 1) {
    all.push(await job(seed))
    const found = verdictsOf(all)
    if (isWritten) recordedRuns.set(nameOf(name, seed), found)
    else if (differences(found, recorded).length === 0) return []
  }
  return isWritten ? [] : differences(verdictsOf(all), recorded)
}

const table = [...jobs(golden)].flatMap(([name, job]) =>
  seeds.map((seed) => [nameOf(name, seed), name, job, seed] as const),
)

test.concurrent.for(table)('%s', async ([, name, job, seed]) => {
  expect(await judged(name, job, seed)).toEqual([])
})

test('every recorded run is still made', () => {
  const made = table.map(([name]) => name)
  const gone = Object.keys(golden).filter(
    (name) => !made.includes(name) && (seeds.length > 1 || !name.endsWith(', seed 2')),
  )
  expect(isWritten ? [] : gone).toEqual([])
})

afterAll(() => {
  if (!isWritten) return
  const full = Object.fromEntries([...recordedRuns].map(([name, found]) => [name, written(found)]))
  const own = table.map(([name, job, , seed]): [string, Verdicts] => {
    const bases: Verdicts = Object.assign({}, ...basesOf(job, seed).map((base) => full[base]))
    return [
      name,
      Object.fromEntries(Object.entries(full[name] ?? {}).filter(([id, text]) => bases[id] !== text)),
    ]
  })
  const kept = own.filter(
    ([name, verdicts]) => !name.endsWith(', seed 2') || Object.keys(verdicts).length > 0,
  )
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
})
