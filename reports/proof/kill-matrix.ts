/** Which checks were shown able to fail, and by what: `npm run kill-matrix` writes the file that this reads. */
import file from './kill-matrix.json' with { type: 'json' }

/** Clauses by the scenario that judges them. */
export type ByScenario = Readonly<Record<string, readonly string[]>>

export interface MatrixLine {
  readonly title: string
  /** What it turns red in every run. */
  readonly kills: ByScenario
  /** What it turns red in some runs only, and so does not prove. */
  readonly sometimes?: ByScenario
}

export interface KillMatrix {
  readonly faults: Readonly<Record<string, MatrixLine>>
  readonly receivers: Readonly<Record<string, MatrixLine>>
  readonly clients: Readonly<Record<string, MatrixLine>>
}

export interface Killer {
  readonly fault: string
  readonly title: string
}

export const killMatrix = file as unknown as KillMatrix

export function checksOf(cells: ByScenario = {}): readonly string[] {
  return Object.entries(cells).flatMap(([scenario, clauses]) =>
    clauses.map((clause) => `${scenario}/${clause}`),
  )
}

/** The faults that fail this check, the most specific first. */
export function killersOf(check: string): readonly Killer[] {
  known ??= killers()
  return known.get(check) ?? []
}

let known: ReadonlyMap<string, readonly Killer[]> | undefined

function killers(): ReadonlyMap<string, readonly Killer[]> {
  const lines = { ...killMatrix.faults, ...killMatrix.receivers, ...killMatrix.clients }
  const all = Object.entries(lines)
    .map(([fault, { title, kills }]) => ({ killer: { fault, title }, checks: checksOf(kills) }))
    .toSorted((one, other) => one.checks.length - other.checks.length)
  const found = new Map<string, Killer[]>()
  for (const { killer, checks } of all)
    for (const check of checks) found.set(check, [...(found.get(check) ?? []), killer])
  return found
}

/** More would not help a reader. */
const named = 2

/** Undefined where nothing has shown it. */
export function shownAbleToFail(
  check: string,
  killers: readonly Killer[] = killersOf(check),
): string | undefined {
  if (killers.length === 0) return undefined
  const titles = killers.slice(0, named).map(({ title }) => `“${title.replace(/\.$/, '')}”`)
  const rest = killers.length - titles.length
  return `shown able to fail by ${[...titles, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')}`
}
