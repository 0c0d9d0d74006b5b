/** Groups failures that probably have one cause: those that a single fault of the simulator causes together, too. */
import { joined } from '../../bundle/chunks.ts'
import type { Received } from '../../bundle/exchange.ts'
import { parseJson } from '../../bundle/json.ts'
import type { Finding, Run } from '../../bundle/record.ts'
import { decompressed } from '../../bundle/redaction/decoded.ts'
import { decode } from '../../bundle/text.ts'
import { mistakeOf, mistakeSeen, causeAndFix } from '../../spec/mistakes.ts'
import { checksOf, killMatrix, type KillMatrix, type MatrixLine } from '../proof/kill-matrix.ts'
import { rowsOf } from '../verdicts/clauses.ts'
import { isFailure, standingOf } from '../verdicts/verdicts.ts'

export interface Cause {
  direct: Alike
  follows: readonly Alike[]
}

/**
 * Every failure appears once, first those whose response shows by itself what is wrong. `rows` are all findings of the
 * run: a check that passed speaks against a fault.
 */
export function causesOf(
  failures: readonly Finding[],
  rows: readonly Finding[],
  run: Pick<Run, 'journal'>,
  matrix: KillMatrix = killMatrix,
): readonly Cause[] {
  const passed = new Set(rows.flatMap(({ verdict, check }) => (verdict === 'pass' ? [check] : [])))
  const lines = Object.values({ ...matrix.faults, ...matrix.receivers, ...matrix.clients })
  const all = rows.filter(isAgainst).map((one) => shownBy(one, run))
  const seen = Map.groupBy(
    alike(failures),
    ({ finding }) => mistakeSeen([shownBy(finding, run)], all) ?? undefined,
  )
  let left = seen.get(undefined) ?? []
  seen.delete(undefined)
  const causes = [...seen.values()].flatMap(([direct, ...follows]): readonly Cause[] =>
    direct ? [{ direct, follows }] : [],
  )
  for (;;) {
    // The fault that fails most of what failed and least of what passed.
    const found = lines.map((line) => explanation(line, left, passed)).filter(({ score }) => score > 0)
    const [best] = found.toSorted((one, other) => other.score - one.score)
    if (best === undefined) break
    const group = left.filter((one) => best.explains(one)).toSorted(byDirectness)
    left = left.filter((one) => !group.includes(one))
    const [direct, ...follows] = group
    if (direct) causes.push({ direct, follows })
  }
  return [...causes, ...left.map((direct) => ({ direct, follows: [] }))]
}

const known = new WeakMap<Run, ReturnType<typeof explained>>()

/** The causes of a run, and what each finding against the target shows. */
function explained(run: Run) {
  const rows = rowsOf(run)
  const shown = new Map(rows.filter(isAgainst).map((one) => [one, shownBy(one, run)]))
  return { causes: causesOf(rows.filter(isFailure), rows, run), shown, all: [...shown.values()] }
}

/**
 * What probably made a check fail, and what to do, from one row: the mistake that what was received shows; else the
 * frequent one behind the clause that shows it most directly. A fault that fails the same checks groups them, and is no
 * cause: something else may fail them, too.
 */
export function adviceOf(finding: Finding, run: Run) {
  if (!isAgainst(finding)) return unknown
  const { scenario, subject } = finding
  const { causes, shown, all } = known.get(run) ?? explained(run)
  known.set(run, { causes, shown, all })
  const isIt = ({ finding: one, also }: Alike): boolean =>
    one.scenario === scenario && [one.subject, ...also].includes(subject)
  const cause = causes.find(({ direct, follows }) => [direct, ...follows].some(isIt))
  const group = cause ? [cause.direct, ...cause.follows].map(({ finding }) => finding) : [finding]
  const seen = mistakeSeen(
    group.map((one) => shown.get(one) ?? shownBy(one, run)),
    all,
  )
  if (seen) return causeAndFix(seen)
  if (seen === null) return unknown
  const [direct = finding] = group
  return mistakeOf(direct.subject, direct.scenario) ?? mistakeOf(subject) ?? unknown
}

const unknown = { cause: null, fix: null }

const isAgainst = ({ verdict }: Finding): boolean => verdict === 'fail' || verdict === 'warn'

/** The delivery that ended a process is cited, and so is one that was accepted in place of another. */
function shownBy(
  { subject, evidence, expected, got, cited = [] }: Finding,
  { journal }: Pick<Run, 'journal'>,
): string {
  const [fatal] = subject.startsWith('RECV-') ? cited : []
  const at = fatal?.exchange ?? evidence[0]
  const { name, response, failure, inbound } = journal.find(({ id }) => id === at) ?? {}
  const start = `${subject} ${name} ${response?.status ?? failure?.kind}`
  if (subject.startsWith('RECV-')) return `${start}${fatal ? ` ${fatal.as}` : ''}`
  const shown = inbound || !response ? subject : `${start} ${bodyKindOf(response)} ${failure?.kind ?? ''}`
  return `${shown}: ${got} for ${expected}`
}

/** The content type where it fits the body. */
function bodyKindOf(response: Received): string {
  const [, type = ''] = response.headers.find(([name]) => name.toLowerCase() === 'content-type') ?? []
  if (type.includes('event-stream') || decompressed(response) !== null) return type
  const { valid, text } = decode(joined(response.chunks))
  if (/^\s*</.test(text)) return 'page'
  if (/^(?:data|event|id|retry)?:/.test(text)) return 'mistyped'
  const { ok } = parseJson(text)
  if (!type.includes('json')) return ok && text !== '' ? 'mistyped' : type
  return valid ? (ok ? type : 'unparsable') : 'undecodable'
}

/** `score` is 0 for a fault that explains too little. */
function explanation({ kills }: MatrixLine, failures: readonly Alike[], passed: ReadonlySet<string>) {
  const checks = new Set(checksOf(kills))
  const hits = failures.filter(({ finding }) => checks.has(finding.check))
  const misses = [...checks].filter((check) => passed.has(check)).length
  const clauses = new Set(hits.map(({ finding }) => finding.subject))
  // Another scenario of the same clause may fail in some runs only, so that no line of the matrix has it.
  const explains = ({ finding }: Alike): boolean => clauses.has(finding.subject)
  const isEnough = hits.length >= 2 && hits.length > 4 * misses
  return { explains, score: isEnough ? failures.filter(explains).length - misses / 2 : 0 }
}

/** A failure that one response shows says more about the cause than one that follows from a sequence. */
function byDirectness({ finding: one }: Alike, { finding: other }: Alike): number {
  const [cited, others] = [one.cited?.length ?? 0, other.cited?.length ?? 0]
  return cited - others || one.evidence.length - other.evidence.length
}

export interface Alike {
  finding: Finding
  also: readonly string[]
}

/** One exchange, or a scenario that broke off, may fail many clauses in the same words; order is kept. */
export function alike(findings: readonly Finding[]): readonly Alike[] {
  const groups = Map.groupBy(findings, ({ verdict, scenario, expected, got, detail, evidence, ...finding }) =>
    JSON.stringify([verdict, scenario, expected, got, detail, standingOf(finding), evidence[0]]),
  )
  return [...groups.values()].flatMap(([finding, ...others]) =>
    finding ? [{ finding, also: others.map(({ subject }) => subject) }] : [],
  )
}
