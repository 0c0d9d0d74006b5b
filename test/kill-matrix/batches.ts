/** Faults in batches by what they break, and which scenarios tell of that. */
import { areaOf, areas, type Area } from '../../spec/index.ts'
import type { FaultId } from '../../simulator/index.ts'
import type { KillMatrix } from '../../reports/proof/kill-matrix.ts'
import { serverScenarios, type AnyScenario } from '../../suites/index.ts'
import { isLong, longScenariosFor } from './long-scenarios.ts'
import { faultIds, rows } from './rows.ts'
import type { Job } from './telling.ts'

export interface Batch {
  readonly ids: readonly FaultId[]
  /** In which these faults break something. */
  readonly areas: readonly Area[]
}

/**
 * So many at once: enough to be quick, few enough that one hardly hides another. Those of several areas stand in
 * smaller ones, for each of them is told alone what is about the areas of any.
 */
const sizes = { one: 36, several: 12 }

const allAreas = Object.keys(areas) as Area[]
const scenarios = Object.entries(serverScenarios)

/** Now and then as well as always. */
const brokenBy = (id: FaultId): readonly string[] => [...rows[id].breaks, ...(rows[id].chance ?? [])]

/** As many as are quick to tell, and still few enough that what one of them does elsewhere is soon found out. */
const batchesAtOnce = 4

/** Every fault in one batch: a batch has one area, or is of those that have several. */
export function batches(): readonly Batch[] {
  const kinds = Map.groupBy(faultIds, (id) => {
    const broken = areasOf(brokenBy(id))
    return broken.length === 1 ? broken[0] : 'several'
  })
  return [...kinds].flatMap(([kind, ids]) => inBatches(ids, kind === 'several' ? sizes.several : sizes.one))
}

/** Those that break the same areas stand side by side, so that a batch breaks few. */
function inBatches(ids: readonly FaultId[], size: number): readonly Batch[] {
  const sorted = ids.toSorted((one, other) => compare(areaNames(one), areaNames(other)))
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => {
    const some = sorted.slice(at * size, (at + 1) * size)
    return { ids: some, areas: areasOf(some.flatMap(brokenBy)) }
  })
}

const areaNames = (id: FaultId): string => areasOf(brokenBy(id)).join()
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** In the order of the contract. */
function areasOf(clauses: readonly string[]): readonly Area[] {
  const named = new Set(clauses.map((id) => (areaOf as Readonly<Record<string, Area>>)[id]))
  return allAreas.filter((area) => named.has(area))
}

/** Told to a fault alone: every scenario about the areas of its batch, and the long ones that fall to it. */
export function scenariosFor(id: FaultId, { areas }: Batch, file: KillMatrix): readonly string[] {
  return [
    ...chosen((scenario) => !isLong(scenario) && isAbout(scenario, areas)),
    ...longScenariosFor(id, file),
  ]
}

/**
 * What is told to faults together: all that is told to none of them alone. Several batches of one area are told at
 * once what is about none of these areas, and each by itself what is about those of the others.
 */
export function jobsBeside(all: readonly Batch[]): readonly Job[] {
  const [wide, narrow] = [
    all.filter(({ areas }) => areas.length > 1),
    all.filter(({ areas }) => areas.length === 1),
  ]
  const groups = Array.from({ length: Math.ceil(narrow.length / batchesAtOnce) }, (_, at) =>
    narrow.slice(at * batchesAtOnce, (at + 1) * batchesAtOnce),
  )
  return [...wide.map((batch) => [batch]), ...groups].flatMap(jobsOfGroup)
}

function jobsOfGroup(group: readonly Batch[]): readonly Job[] {
  const all = group.flatMap(({ areas }) => areas)
  const besideAll = chosen((scenario) => !isLong(scenario) && !isAbout(scenario, all))
  const jobs = group.map(({ ids, areas }) => ({ ids, scenarios: scenariosBeside({ ids, areas }) }))
  const others = jobs.map(({ ids, scenarios }) => ({
    ids,
    scenarios: scenarios.filter((id) => !besideAll.includes(id)),
  }))
  return [{ ids: group.flatMap(({ ids }) => ids), scenarios: besideAll }, ...others]
    .filter(({ scenarios }) => scenarios.length > 0)
    .map(({ ids, scenarios }) => ({ faults: ids, scenarios, beside: true }))
}

/** All that is told to none of the batch alone. */
export function scenariosBeside({ areas }: Batch): readonly string[] {
  return chosen((scenario) => !isLong(scenario) && !isAbout(scenario, areas))
}

const chosen = (told: (scenario: AnyScenario) => boolean): readonly string[] =>
  scenarios.filter(([, scenario]) => told(scenario)).map(([id]) => id)

const isAbout = ({ judge }: AnyScenario, wanted: readonly Area[]): boolean =>
  areasOf(Object.keys(judge)).some((area) => wanted.includes(area))
