/** Faults in batches by what they break, and which stories tell of that. */
import { areaOf, areas, type Area } from '../../spec/index.ts'
import type { FaultId } from '../../simulator/index.ts'
import type { KillMatrix } from '../../reports/proof/kill-matrix.ts'
import { serverScenarios, type AnyScenario } from '../../suites/index.ts'
import { isLong, longStoriesFor } from './long-stories.ts'
import { faultIds, rows } from './rows.ts'

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
const stories = Object.entries(serverScenarios)

/** Now and then as well as always. */
const brokenBy = (id: FaultId): readonly string[] => [...rows[id].breaks, ...(rows[id].chance ?? [])]

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

/** Told to a fault alone: every story about the areas of its batch, and the long ones that fall to it. */
export function storiesFor(id: FaultId, { areas }: Batch, file: KillMatrix): readonly string[] {
  return [...chosen((story) => !isLong(story) && isAbout(story, areas)), ...longStoriesFor(id, file)]
}

/** Told to a batch: all that is told to none of it alone. */
export function storiesBeside({ areas }: Batch): readonly string[] {
  return chosen((story) => !isLong(story) && !isAbout(story, areas))
}

const chosen = (told: (story: AnyScenario) => boolean): readonly string[] =>
  stories.filter(([, story]) => told(story)).map(([id]) => id)

const isAbout = ({ judge }: AnyScenario, wanted: readonly Area[]): boolean =>
  areasOf(Object.keys(judge)).some((area) => wanted.includes(area))
