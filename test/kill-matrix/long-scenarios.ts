/**
 * Scenarios that take long, which judge at length what others judge as well. They run with few faults: those that
 * the file has them for, and where the file has nobody yet, to whoever may be it. The file keeps the fewest.
 */
import type { KillMatrix, MatrixLine } from '../../reports/proof/kill-matrix.ts'
import type { FaultId } from '../../simulator/index.ts'
import { serverScenarios, type AnyScenario } from '../../suites/index.ts'
import { clauseOf } from './explain.ts'
import { cellsOf, lineOf } from './file.ts'
import { rows } from './machine.ts'

const longRequests = 91
/** Of the largest profile, or with room for so many requests: a search that goes on where it found something red. */
export const isLong = ({ profile, cost }: AnyScenario): boolean =>
  profile === 'exhaustive' || cost.requests > longRequests

/** Ids, the shortest first. */
const long: readonly string[] = Object.entries(serverScenarios)
  .filter(([, scenario]) => isLong(scenario))
  .toSorted(([, one], [, other]) => one.cost.requests - other.cost.requests)
  .map(([id]) => id)
const isOfLong = (check: string): boolean => long.includes(scenarioOf(check))
const scenarioOf = (check: string): string => check.slice(0, check.lastIndexOf('/'))
const killsOf = (line: MatrixLine | undefined): readonly string[] => cellsOf(line)?.kills ?? []

/** What the file has it for, and what judges a clause that it breaks and that lacks a killer: of its own, or any. */
export function longScenariosFor(id: FaultId, file: KillMatrix): readonly string[] {
  const own = killsOf(file.faults[id])
  const shown = new Set(own.map(clauseOf))
  const killed = killedIn(file)
  const lacks = (clause: string, scenario: string): boolean =>
    rows[id].breaks.some((broken) => broken === clause) &&
    (!shown.has(clause) || !killed.has(`${scenario}/${clause}`))
  return long.filter(
    (scenario) =>
      own.some((check) => scenarioOf(check) === scenario) ||
      clausesOf(scenario).some((one) => lacks(one, scenario)),
  )
}

const clausesOf = (scenario: string): readonly string[] => Object.keys(serverScenarios[scenario]?.judge ?? {})

const known = new WeakMap<KillMatrix, ReadonlySet<string>>()
function killedIn(file: KillMatrix): ReadonlySet<string> {
  const killed = known.get(file) ?? new Set(Object.values(file.faults).flatMap(killsOf))
  known.set(file, killed)
  return killed
}

/**
 * The lines with no more of the long scenarios than it takes: for each fault one that shows what nothing shorter shows
 * of it, and for each check one fault, which breaks least. Made so again it stays as it is.
 */
export function withFewest(faults: KillMatrix['faults']): KillMatrix['faults'] {
  const kept = new Set<string>()
  const pair = (id: string, scenario: string): string => `${id} in ${scenario}`
  const lines = Object.entries(faults).toSorted(byBreaks)
  for (const [id, line] of lines) for (const scenario of neededBy(line)) kept.add(pair(id, scenario))
  for (const check of long.flatMap((scenario) =>
    clausesOf(scenario).map((clause) => `${scenario}/${clause}`),
  )) {
    const killers = lines.filter(([, line]) => killsOf(line).includes(check))
    const isKept = ([id]: Named): boolean => kept.has(pair(id, scenarioOf(check)))
    const [first] = killers
    if (first && !killers.some(isKept)) kept.add(pair(first[0], scenarioOf(check)))
  }
  return Object.fromEntries(
    Object.entries(faults).map(([id, line]) => {
      const { kills, sometimes } = cellsOf(line) ?? { kills: [], sometimes: [] }
      const isKept = (check: string): boolean => !isOfLong(check) || kept.has(pair(id, scenarioOf(check)))
      return [id, lineOf(line.title, { kills: kills.filter(isKept), sometimes: sometimes.filter(isKept) })]
    }),
  )
}

type Named = readonly [id: string, line: MatrixLine]

/** Those that break least first, and of these by name. */
function byBreaks([one]: Named, [other]: Named): number {
  const breaks = (id: string): number => rows[id as FaultId]?.breaks.length ?? 0
  return breaks(one) - breaks(other) || (one < other ? -1 : 1)
}

/** The shortest of the long scenarios for each clause that only long ones show. */
function neededBy(line: MatrixLine): readonly string[] {
  const kills = killsOf(line)
  const short = new Set(kills.filter((check) => !isOfLong(check)).map(clauseOf))
  const bare = new Set(kills.map(clauseOf)).difference(short)
  const needed: string[] = []
  for (const clause of bare) {
    const showing = long.filter((scenario) => kills.includes(`${scenario}/${clause}`))
    if (!showing.some((scenario) => needed.includes(scenario))) needed.push(...showing.slice(0, 1))
  }
  return needed
}
