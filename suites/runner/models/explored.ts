/**
 * What a scenario that draws its own course leaves in its notes: how far it looked, and the smallest course that
 * still showed the failure. Notes are plain data, so a recorded run is judged, and shown, from them again.
 */
import type { Context } from '../../scenario/scenario.ts'

export type Notes = Context['notes']

export interface Explored {
  /** Courses played before the first that failed, that one included; all of them where none did. */
  runs: number
  /** Requests sent until the first failure was seen; all that were sent where none was. */
  requests: number
  /** Null where nothing failed. */
  failure: Minimal | null
  /** Id of the last exchange of every course that was run, in order; absent where courses share exchanges. */
  ends?: readonly number[]
}

export interface Minimal {
  /** Ids of the first and the last exchange of the smallest failing course, as it was run last. */
  from: number
  to: number
  /** Requests spent on making it small. */
  shrinking: number
  /** Played so many times more, it failed so many times. */
  reproduced: { times: number; of: number }
}

const names = {
  runs: 'explored: runs',
  requests: 'explored: requests',
  ends: 'explored: last exchanges',
  from: 'minimal: first exchange',
  to: 'minimal: last exchange',
  shrinking: 'minimal: requests to shrink',
  times: 'minimal: reproduced',
  of: 'minimal: tried again',
} as const

/** As notes of the scenario. */
export function notesOf({ runs, requests, failure, ends }: Explored): Notes {
  const apart: Notes = ends === undefined ? {} : { [names.ends]: ends.join(' ') }
  const looked = { [names.runs]: runs, [names.requests]: requests, ...apart }
  if (failure === null) return looked
  const { from, to, shrinking, reproduced } = failure
  return {
    ...looked,
    [names.from]: from,
    [names.to]: to,
    [names.shrinking]: shrinking,
    [names.times]: reproduced.times,
    [names.of]: reproduced.of,
  }
}

/** From the notes of a scenario; null for one that drew no course. */
export function exploredOf(notes: Notes): Explored | null {
  const number = (name: string): number | null => {
    const value = notes[name]
    return typeof value === 'number' ? value : null
  }
  const [runs, requests] = [number(names.runs), number(names.requests)]
  if (runs === null || requests === null) return null
  const looked = { runs, requests, ...endsOf(notes[names.ends]) }
  const [from, to] = [number(names.from), number(names.to)]
  if (from === null || to === null) return { ...looked, failure: null }
  const reproduced = { times: number(names.times) ?? 0, of: number(names.of) ?? 0 }
  return { ...looked, failure: { from, to, shrinking: number(names.shrinking) ?? 0, reproduced } }
}

function endsOf(note: Notes[string] | undefined): Pick<Explored, 'ends'> {
  return typeof note === 'string' ? { ends: note.split(' ').filter(Boolean).map(Number) } : {}
}
