/** The lines of a journal, each with the digest of the one before it. Judged apart from what writes them. */
import { isObject } from '../../../spec/json.ts'
import { parseJson } from '../json.ts'
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
  /** What stands in the lines, by what they are. */
  opening: { prev: unknown; opening: unknown } | null
  /** By id, with the scenario each is of. */
  exchanges: ReadonlyMap<unknown, Passed>
  /** Scenarios as recorded, by id. */
  scenarios: ReadonlyMap<unknown, unknown>
  /** Total usage at the end of each scenario, in the order run. */
  used: readonly unknown[]
  end: Table | null
  /** Bodies that lie in files of their own: sizes by digest. */
  evidence: ReadonlyMap<string, unknown>
}

const newline = 0x0a

export function readChain(bytes: Buffer): ReadChain {
  const lines = linesOf(bytes)
  const tables = lines.map(tableOf)
  const whole = tables.filter((table) => table !== null)
  const being = (is: string): readonly Table[] => whole.filter((table) => table['is'] === is)
  const [first] = tables
  const exchanges = being('exchange').map(
    ({ exchange }) => [memberOf(exchange, 'id'), passed(exchange)] as const,
  )
  const scenarios = being('scenario').map(
    ({ scenarioRun }) => [memberOf(scenarioRun, 'scenario'), scenarioRun] as const,
  )
  return {
    lines: lines.length,
    head: sha256(lines.at(-1) ?? ''),
    torn: bytes.length - (bytes.lastIndexOf(newline) + 1),
    problems: [
      ...tables.flatMap((table, at) => linkProblems(table, at, lines, tables)),
      ...repeated(exchanges).map((id) => `exchange ${id} is there twice`),
      ...repeated(scenarios).map((id) => `scenario run ${id} is recorded twice`),
    ],
    opening: first?.['is'] === 'run' ? { prev: first['prev'], opening: first['opening'] } : null,
    exchanges: new Map(exchanges),
    scenarios: new Map(scenarios),
    used: being('scenario').map(({ used }) => used),
    end: being('end').at(-1) ?? null,
    evidence: new Map(being('exchange').flatMap(({ exchange }) => apart(exchange))),
  }
}

function linesOf(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = []
  let from = 0
  for (let to = bytes.indexOf(newline); to !== -1; to = bytes.indexOf(newline, from)) {
    lines.push(bytes.subarray(from, to))
    from = to + 1
  }
  return lines
}

function tableOf(line: Buffer): Table | null {
  const reading = parseJson(line.toString('utf8'))
  return reading.ok && isObject(reading.value) ? reading.value : null
}

function linkProblems(
  table: Table | null,
  at: number,
  lines: readonly Buffer[],
  tables: readonly (Table | null)[],
): readonly string[] {
  if (table === null) return [`line ${at + 1} is no line of a journal`]
  const problems: string[] = []
  const before = lines[at - 1]
  const expected = at === 0 ? 0 : numberOf(tables[at - 1], 'seq') + 1
  if (table['seq'] !== expected && !Number.isNaN(expected))
    problems.push(`line ${at + 1} has the number ${String(table['seq'])}, and ${expected} was to come`)
  if (before && table['prev'] !== sha256(before))
    problems.push(`line ${at + 1} does not continue line ${at}: that was altered, or lines between are gone`)
  if (table['is'] === 'end' && at < lines.length - 1)
    problems.push(`line ${at + 1} is the end, and ${lines.length - 1 - at} more follow`)
  return problems
}

function passed(exchange: unknown): Passed {
  const failure = memberOf(exchange, 'failure')
  const isSent = memberOf(exchange, 'inbound') === undefined && memberOf(failure, 'kind') !== 'budget'
  const [scenario, sentAt, endedAt] = ['scenario', 'sentAt', 'endedAt'].map((name) =>
    memberOf(exchange, name),
  )
  return { scenario, sentAt, endedAt, isSent }
}

function repeated(entries: readonly (readonly [unknown, unknown])[]): readonly string[] {
  const seen = new Set<unknown>()
  return entries.flatMap(([id]) => (seen.size === seen.add(id).size ? [String(id)] : []))
}

/** Wherever a body is named in place of being there. */
function apart(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.flatMap(apart)
  if (!isObject(value)) return []
  const { evidence } = value
  if (typeof evidence === 'string') return [[evidence, value['bytes']]]
  return Object.values(value).flatMap(apart)
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined
}

function numberOf(table: Table | null | undefined, name: string): number {
  const value = table?.[name]
  return typeof value === 'number' ? value : Number.NaN
}
