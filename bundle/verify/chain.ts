/** The lines of a journal, each with the digest of the one before it. Judged apart from what writes them. */
import { isObject } from '../../spec/json.ts'
import { ownMember } from '../json.ts'
import type { JournalLine } from '../journal/lines.ts'
import { sha256 } from '../seal/digest.ts'

type Table = Readonly<Record<string, unknown>>

/** What of an exchange has to fit the rest of the run. */
export interface Passed {
  scenario: unknown
  /** Milliseconds since the run began. */
  sentAt: unknown
  endedAt: unknown
  /** It was sent, and not only meant to be, nor sent by the target. */
  isSent: boolean
}

export interface ReadChain {
  /** Whole lines. */
  lines: number
  /** SHA-256, hex, of the last whole line. */
  head: string
  /** Bytes after the last line end: a line that was cut off in the writing. */
  torn: number
  /** What does not hold within the file itself. */
  problems: readonly string[]
  opening: { prev: unknown; opening: unknown } | null
  /** By id, with the scenario each is of. */
  exchanges: ReadonlyMap<unknown, Passed>
  /** Attempts at scenarios as recorded, by `attemptId`. */
  scenarios: ReadonlyMap<string, unknown>
  /** Total usage at the end of each scenario, in the order run. */
  used: readonly unknown[]
  end: Table | null
  /** Bodies that lie in files of their own: sizes by digest. */
  evidence: ReadonlyMap<string, unknown>
}

/** Of a scenario, and of a further attempt with the first exchange that it may have. */
export const attemptId = (scenario: unknown, since: unknown): string => JSON.stringify([scenario, since])

type Link = { seq: number; digest: string }

export function createChainReader() {
  const problems: string[] = []
  const exchanges = new Map<unknown, Passed>()
  const scenarios = new Map<string, unknown>()
  const evidence = new Map<string, unknown>()
  const used: unknown[] = []
  /** Of equal names of scenarios, the one met first. */
  const names = new Map<unknown, unknown>()
  const ends: { at: number; table: Table }[] = []
  let opening: ReadChain['opening'] = null
  let before: Link | null = null
  let lines = 0

  const takes: Readonly<Record<string, (table: Table) => void>> = {
    exchange({ exchange }) {
      const id = ownMember(exchange, 'id')
      if (exchanges.has(id)) problems.push(`exchange ${String(id)} is there twice`)
      const one = passed(exchange)
      if (!names.has(one.scenario)) names.set(one.scenario, one.scenario)
      exchanges.set(id, { ...one, scenario: names.get(one.scenario) })
      eachApart(exchange, (digest, size) => void evidence.set(digest, size))
    },
    scenario({ scenarioRun, used: usedThen }) {
      const id = attemptId(ownMember(scenarioRun, 'scenario'), ownMember(scenarioRun, 'since'))
      // A further attempt has one line as it begins, and one when it has ended.
      const isBegun = ownMember(ownMember(scenarios.get(id), 'ending'), 'reason') === 'interrupted'
      if (scenarios.has(id) && !isBegun) problems.push(`scenario run ${id} is recorded twice`)
      scenarios.set(id, scenarioRun)
      used.push(usedThen)
    },
    end: (table) => void ends.push({ at: lines, table }),
  }

  return {
    /** Nothing of its bytes is kept. */
    take({ reading, sha256: digest }: JournalLine): void {
      const table = reading.ok && isObject(reading.value) ? reading.value : null
      if (lines === 0 && table?.['is'] === 'run') opening = { prev: table['prev'], opening: table['opening'] }
      problems.push(...linkProblems(table, lines, before))
      const is = table?.['is']
      if (table && typeof is === 'string' && Object.hasOwn(takes, is)) takes[is]?.(table)
      before = { seq: typeof table?.['seq'] === 'number' ? table['seq'] : Number.NaN, digest }
      lines++
    },
    /** `torn`: bytes after the last line. */
    end: (torn: number): ReadChain => ({
      lines,
      head: before?.digest ?? sha256(''),
      torn,
      problems: [
        ...problems,
        ...ends
          .filter(({ at }) => at < lines - 1)
          .map(({ at }) => `line ${at + 1} is the end, and ${lines - 1 - at} more follow`),
      ],
      opening,
      exchanges,
      scenarios,
      used,
      end: ends.at(-1)?.table ?? null,
      evidence,
    }),
  }
}

function linkProblems(table: Table | null, at: number, before: Link | null): readonly string[] {
  if (table === null) return [`line ${at + 1} is no line of a journal`]
  const problems: string[] = []
  const expected = before ? before.seq + 1 : 0
  if (table['seq'] !== expected && !Number.isNaN(expected))
    problems.push(`line ${at + 1} has the number ${String(table['seq'])}, and ${expected} was to come`)
  if (before && table['prev'] !== before.digest)
    problems.push(
      `line ${at + 1} does not continue line ${at}: one of them was changed, or lines between them are missing`,
    )
  return problems
}

function passed(exchange: unknown): Passed {
  const failure = ownMember(exchange, 'failure')
  const isSent = ownMember(exchange, 'inbound') === undefined && ownMember(failure, 'kind') !== 'budget'
  const [scenario, sentAt, endedAt] = ['scenario', 'sentAt', 'endedAt'].map((name) =>
    ownMember(exchange, name),
  )
  return { scenario, sentAt, endedAt, isSent }
}

/** Wherever a body is named in place of being there. */
function eachApart(value: unknown, take: (digest: string, size: unknown) => void): void {
  if (Array.isArray(value)) for (const one of value) eachApart(one, take)
  else if (isObject(value)) {
    const { evidence, bytes } = value
    if (typeof evidence === 'string') take(evidence, bytes)
    else for (const one of Object.values(value)) eachApart(one, take)
  }
}
