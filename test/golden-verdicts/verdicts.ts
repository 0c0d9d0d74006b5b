/**
 * No verdict changes without a reviewed line in a file of this folder. GOLDEN=write records what has changed; CI runs
 * two seeds, and `npm test` one. Variants have one seed: `npm run lab -- seeds` runs them with many.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import type { Finding } from '../../bundle/record.ts'

/** By scenario: its clauses by verdict, as `inconclusive|pass A B; observed C`. */
type Verdicts = Readonly<Record<string, string>>
/** By job and seed. A run with another seed lists what differs from the run with the first. */
type Golden = Readonly<Record<string, Verdicts>>

export type Findings = readonly Pick<Finding, 'check' | 'verdict'>[]
/** The runs that judge a subject, by its name. */
export type Jobs = Readonly<Record<string, (seed: number) => Promise<Findings>>>

const pathOf = (name: string): URL => new URL(`${name}.json`, import.meta.url)

/** The verdicts that are recorded under a name. */
export const recorded = (name: string): Golden =>
  (existsSync(pathOf(name)) ? JSON.parse(readFileSync(pathOf(name), 'utf8')) : {}) as Golden

const isWritten = process.env['GOLDEN'] === 'write'
const bothSeeds = isWritten || process.env['CI'] !== undefined

/** A race may end otherwise on a busy machine: a verdict counts as kept if one of so many runs has it. */
const runs = 4
/** All of them, one after the other, where they are written. */
const timeout = isWritten ? 3_600_000 : 900_000

type Found = ReadonlyMap<string, ReadonlySet<string>>

const nameOf = (job: string, seed: number): string => (seed === 1 ? job : `${job}, seed ${seed}`)

/** What each check got in these runs of one job; a race may have more than one verdict. */
function verdictsOf(runs: readonly Findings[]): Found {
  const checks = Map.groupBy(runs.flat(), ({ check }) => check)
  return new Map([...checks].map(([check, found]) => [check, new Set(found.map(({ verdict }) => verdict))]))
}

export function verdictsIn(verdicts: Verdicts): Found {
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

/** Requests that a busy machine does not let overlap say nothing of it. */
const isOfOverlap = /-(?:OVERLAP|CONCURRENT)$/

/** Which checks a run with many variants, or lost connections, leaves without a verdict depends on the machine. */
const open = ['pass', 'observed', 'inconclusive', 'not-applicable', 'not-exercised']

/**
 * What is not as recorded, a line a check. What was lost once, and so inconclusive, may be as in `base` the next time;
 * where there is a base, only what is held against the target has to be as recorded.
 */
function differences(found: Found, recorded: Found, base: Found): readonly string[] {
  const lines = [...found].flatMap(([check, verdicts]) => {
    if (base.size > 0 && [...verdicts].some((one) => open.includes(one))) return []
    const known = recorded.get(check)
    const mayCome = known?.has('inconclusive') ? base.get(check) : undefined
    const isApart = isOfOverlap.test(check) && known?.has('pass') && verdicts.has('not-applicable')
    const isKnown = isApart || [...verdicts].some((one) => known?.has(one) || mayCome?.has(one))
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

/** Tests each job against what is recorded under a name. `base`: a job that lists all; others list what differs from it. */
export function testVerdicts(name: string, jobs: Jobs, base: Verdicts = {}): void {
  const golden = recorded(name)
  const seen = new Map<string, Verdicts>()
  const seeds = bothSeeds && Object.keys(base).length === 0 ? [1, 2] : [1]
  const table = Object.entries(jobs).flatMap(([job, run]) => seeds.map((seed) => ({ job, run, seed })))

  test.concurrent.for(table)('$job, seed $seed', { timeout }, async ({ job, run, seed }) => {
    const expected = verdictsIn({ ...base, ...golden[job], ...golden[nameOf(job, seed)] })
    const all = []
    for (let time = 0; time < runs; time += 1) {
      all.push(await run(seed))
      if (!isWritten && differences(verdictsOf(all), expected, verdictsIn(base)).length === 0) break
    }
    seen.set(nameOf(job, seed), written(verdictsOf(all)))
    const changed = isWritten ? [] : differences(verdictsOf(all), expected, verdictsIn(base))
    expect(changed, 'record what has a reason with GOLDEN=write').toEqual([])
  })

  test('every recorded run is still made', () => {
    const gone = Object.keys(golden).filter((one) => !(one.replace(/, seed \d$/, '') in jobs))
    expect(isWritten ? [] : gone).toEqual([])
  })

  afterAll(() => {
    if (!isWritten) return
    const lines = table.map(({ job, seed }): [string, Verdicts] => {
      const known = { ...base, ...(seed > 1 && seen.get(job)) }
      const own = Object.entries(seen.get(nameOf(job, seed)) ?? {}).filter(([id, text]) => known[id] !== text)
      return [nameOf(job, seed), Object.fromEntries(own)]
    })
    const kept = lines.filter(([one, own]) => one in jobs || Object.keys(own).length > 0)
    writeFileSync(pathOf(name), `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
  })
}
