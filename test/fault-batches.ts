/** Faults in batches by what they break, and which stories tell of that. */
import { areaOf, areas, type Area } from '../spec/index.ts'
import type { Fault } from '../simulator/deviations/deviation.ts'
import { faults, type FaultId } from '../simulator/index.ts'
import type { Scenarios } from '../suites/index.ts'
import { roomIds, storiesOf } from './rooms.ts'

export interface Batch {
  readonly ids: readonly FaultId[]
  /** In which these faults break something. */
  readonly areas: readonly Area[]
}

/** So many at once: enough to be quick, few enough that one hardly hides another. */
const size = 8

export const rows: Readonly<Record<FaultId, Fault>> = faults
const faultIds = Object.keys(faults) as FaultId[]
const allAreas = Object.keys(areas) as Area[]
const stories = storiesOf(roomIds)

/** Whose faults break something in one of `leading` first: a batch has one area, or is of those that have several. */
export function batchesOf(leading: readonly Area[]): readonly Batch[] {
  const own = faultIds.filter((id) => leading.some((area) => area === brokenAreas(id)[0]))
  const kinds = Map.groupBy(own, (id) => (brokenAreas(id).length === 1 ? brokenAreas(id)[0] : 'several'))
  return [...kinds.values()].flatMap(inBatches)
}

function inBatches(ids: readonly FaultId[]): readonly Batch[] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, at) => {
    const some = ids.slice(at * size, (at + 1) * size)
    return { ids: some, areas: areasOf(some.flatMap((id) => rows[id].breaks)) }
  })
}

const brokenAreas = (id: FaultId): readonly Area[] => areasOf(rows[id].breaks)

/** In the order of the contract. */
function areasOf(clauses: readonly string[]): readonly Area[] {
  const named = new Set(clauses.map((id) => (areaOf as Readonly<Record<string, Area>>)[id]))
  return allAreas.filter((area) => named.has(area))
}

/** The stories that judge something in these areas, and all the others. */
export function storiesAbout(wanted: readonly Area[]): { about: Scenarios; others: Scenarios } {
  const tells = ([, { judge }]: [string, Scenarios[string]]): boolean =>
    areasOf(Object.keys(judge)).some((area) => wanted.includes(area))
  const all = Object.entries(stories)
  return {
    about: Object.fromEntries(all.filter(tells)),
    others: Object.fromEntries(all.filter((story) => !tells(story))),
  }
}
