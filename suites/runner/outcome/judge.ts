/** Judges a scenario that was run: one finding per clause and gap. Works on a recorded scenario just the same. */
import { inDialect, type Exchange, json, type FailureKind } from '../../wire/exchange.ts'
import { areaOf, gapAreas, clauses, type ClauseId, type GapId, type StateId } from '../../../spec/index.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Finding } from '../../../bundle/record.ts'
import {
  notExercised,
  ScenarioEnded,
  skipped,
  unprovenNote,
  type Ending,
  type ScenarioExecution,
} from '../../scenario/ending.ts'
import { shownOf } from '../../models/sequences.ts'
import { fingerprint, fingerprintSeen } from '../requests/fingerprint.ts'
import { isWrongKey } from '../requests/key-check.ts'
import { withRecurrence } from './recurrence.ts'
import type { AnyScenario, Judgement } from '../../scenario/scenario.ts'
import type { NamedExchanges } from '../../scenario/exchange-names.ts'
import { isUnreadableHeader } from '../../wire/failure.ts'

/** What a target lost: requests without a response, or with one that a gateway or an overloaded service sends. Pure. */
const statuses: readonly number[] = [429, 502, 503, 504]
const failures: readonly FailureKind[] = ['refused', 'reset', 'timeout', 'protocol']

/** States in which the target is to respond like that. */
const expectedIn: readonly StateId[] = ['server.500', 'server.503', 'rate.limited', 'key.uncertain']

export function isLost({ response, failure, inbound, recurred }: Exchange): boolean {
  if (inbound || recurred) return false
  if (failure === null) return statuses.includes(response?.status ?? 0)
  return failures.includes(failure.kind) && !isUnreadableHeader(failure)
}

function lostIn(
  { needs }: Pick<AnyScenario, 'needs'>,
  { exchanges, states }: Pick<ScenarioExecution, 'exchanges' | 'states'>,
): ReadonlySet<number> {
  const isMeant =
    needs?.principal?.kind === 'sacrificial' ||
    needs?.older === 'limited' ||
    states.some(({ state }) => expectedIn.includes(state))
  return new Set(isMeant ? [] : exchanges.filter(isLost).map(({ id }) => id))
}

export function isUnanswered({ exchanges }: Pick<ScenarioExecution, 'exchanges'>): boolean {
  const sent = exchanges.filter(({ inbound }) => !inbound)
  return sent.length > 0 && sent.every(isLost)
}

export function endsLost({ exchanges }: Pick<ScenarioExecution, 'exchanges'>): boolean {
  const last = exchanges.findLast(({ inbound }) => !inbound)
  return last !== undefined && isLost(last)
}

export function lossOf(journal: readonly Exchange[]): string {
  const sent = journal.filter(({ inbound, failure }) => !inbound && failure?.kind !== 'budget')
  const lost = sent.slice(sent.findLastIndex((exchange) => !isLost(exchange)) + 1)
  const last = lost.at(-1)
  const words = last?.failure ? `no response (${last.failure.message})` : `only ${last?.response?.status}`
  return `from exchange ${lost[0]?.id} on it sent ${words}`
}

class NotRun extends Error {}

type Conclusion = Pick<
  Finding,
  'verdict' | 'reason' | 'detail' | 'expected' | 'got' | 'cited' | 'fingerprint' | 'softened'
>

export function judgeScenario(
  id: string,
  scenario: AnyScenario,
  recorded: ScenarioExecution,
  dialect: Dialect,
): readonly Finding[] {
  const execution = { ...recorded, exchanges: withRecurrence(inDialect(recorded.exchanges, dialect)) }
  // What happened more than once is one thing to say.
  const once = new Map(execution.states.map(({ state, by }) => [`${state} ${by}`, { state, by }]))
  const states = [...once.values()]
  return subjectsOf(scenario).map((subject) => ({
    ...about(id, scenario, subject),
    ...judgeSubject(subject, scenario, execution, dialect),
    states,
  }))
}

/** What remains of what a judge says, in the order of the reasons for which it is not believed. */
function judgeSubject(
  subject: CheckSubject,
  scenario: AnyScenario,
  execution: ScenarioExecution,
  dialect: Dialect,
): Conclusion & Pick<Finding, 'evidence'> {
  const { states, ending, exchanges, notes } = execution
  const touched = new Set<number>()
  const named = scenarioOf(scenario, execution, touched)
  const { conclusion, exchange, rests = [] } = callJudge(scenario, named, execution, dialect, subject)
  for (const id of rests) touched.add(id)
  const { verdict, cited = [], expected, got } = conclusion
  const shown = exchange === undefined ? [] : [exchange]
  const evidence = [...new Set([...shown, ...cited.map((one) => one.exchange), ...touched])]

  // Our own error, or what was not run.
  if (verdict === 'error' || verdict === 'not-exercised') return { ...conclusion, evidence }
  const isAgainst = verdict === 'fail' || verdict === 'warn'

  // What rests on a state that did not hold is no verdict, and neither is a scenario that stopped in one. A target that
  // says itself that it is in the state is judged, and the contradiction shown.
  const hasStopped = verdict === 'inconclusive' && ending !== null
  const mismatch = states
    .flatMap((state) => state.mismatch ?? [])
    .find((one) => hasStopped || one.exchanges.some((id) => touched.has(id)))
  if (mismatch && !mismatch.believed)
    return { verdict: 'not-exercised', reason: 'state-mismatch', detail: mismatch.because, evidence }

  // A client that did not meet what was prepared for it is neither passed nor excused; where it is wrong, it is wrong.
  const unproven = exchanges.find(({ id, name }) => touched.has(id) && unprovenNote(name) in notes)
  if (unproven && !isAgainst)
    return { verdict: 'inconclusive', detail: String(notes[unprovenNote(unproven.name)]), evidence }

  // A response that we cut ourselves, or did not read, or a delivery that we took late, is the reason of no failure; a
  // body that is withheld is none of a pass either.
  const cut = exchanges.find(
    (one) => touched.has(one.id) && (isAgainst ? whyUnread(one) : verdict === 'pass' && one.withheld),
  )
  // A target that is lost for good did not drop its last connections as an answer.
  const isLastWord =
    verdict === 'warn' && isUnavailable(ending) && exchanges.some((one) => one.id === exchange && isLost(one))
  if (cut || isLastWord || verdict === 'inconclusive') {
    // The target lost a request that the check rests on, or before its scenario ended early.
    const lost = lostIn(scenario, execution)
    const isLost = !lost.isDisjointFrom(ending === null ? touched : lost)
    const { detail } = cut ? { detail: `\`${cut.name}\`: ${whyUnread(cut)}` } : conclusion
    if (isLost) return { ...lostAs(ending, cut ? { verdict, detail } : conclusion), evidence }
    return { ...(cut ? endedAs(null, detail) : conclusion), evidence }
  }

  const refused = isAgainst ? exchanges.find(({ id }) => id === exchange) : undefined
  if (refused && isWrongKey(refused, exchanges)) {
    const { principal } = refused.request
    const detail = `the key of ${principal} was refused (401) for what it may do, too: check principals.${principal}.bearer`
    return { verdict: 'inconclusive', detail, evidence }
  }

  // What judges the target and rests on no exchange proves nothing: the judge is at fault.
  if (verdict !== 'observed' && verdict !== 'not-applicable' && evidence.length === 0) {
    const gave = verdict === 'pass' ? 'passed' : `gave a ${verdict} (expected ${expected}, got ${got})`
    return { verdict: 'error', detail: `the judge ${gave} without looking at an exchange`, evidence }
  }
  if (!isAgainst) return { ...conclusion, evidence }

  // What a scenario of many courses fails with is shown by the one course in which it did.
  const course = exchange === undefined ? null : shownOf(notes, exchange)
  const words = [conclusion.detail ?? mismatch?.because, course?.words].filter((one) => one !== undefined)
  return {
    ...conclusion,
    ...(words.length === 0 ? {} : { detail: words.join('; ') }),
    evidence: course ? evidence.filter((id) => id >= course.from && id <= course.to) : evidence,
  }
}

const isUnavailable = (ending: Ending | null): boolean =>
  ending?.is === 'not-exercised' && ending.reason === 'target-unavailable'

/** No result, as it is where the target did not answer again. */
const lostAs = (ending: Ending | null, { detail, fingerprint }: Conclusion): Conclusion =>
  isUnavailable(ending)
    ? endedAs(ending)
    : { ...endedAs(null, detail), reason: 'target-unavailable', ...(fingerprint && { fingerprint }) }

function whyUnread(exchange: Exchange): string | null {
  if (exchange.withheld) return 'a body has a secret in an encoding that cannot be redacted, and is left out'
  if (exchange.failure?.kind === 'cut') return exchange.failure.message
  if (exchange.inbound?.stalled) return 'our receiver had no processor for seconds as it came'
  const reading = json(exchange)
  return !reading.ok && reading.unread ? `its body is not read, as ${reading.why}` : null
}

export function notRun(id: string, scenario: AnyScenario, ending: Ending): readonly Finding[] {
  return subjectsOf(scenario).map((subject) => ({
    ...about(id, scenario, subject),
    ...endedAs(ending),
    evidence: [],
    states: [],
  }))
}

export type CheckSubject = ClauseId | GapId

export function subjectsOf({ judge, observe }: AnyScenario): readonly CheckSubject[] {
  return [...Object.keys(judge), ...Object.keys(observe ?? {})] as CheckSubject[]
}

const isClause = (subject: CheckSubject): subject is ClauseId => subject in clauses

function about(id: string, { title, judge }: AnyScenario, subject: CheckSubject) {
  const check = checkId(id, subject)
  const place = { check, subject, scenario: id, title }
  if (isClause(subject))
    return { ...place, area: areaOf[subject], level: clauses[subject].level, basis: clauses[subject].basis }
  // An unspecified point has no area: it is listed with a clause of its scenario.
  const neighbour = Object.keys(judge).find((other) => other in areaOf) as ClauseId | undefined
  const alone = subject in gapAreas.clients ? 'library-chat' : 'chat-response'
  const area = neighbour ? areaOf[neighbour] : alone
  return { ...place, area, level: 'silent', basis: 'silent' } as const
}

export function checkId(scenario: string, subject: CheckSubject): string {
  return `${scenario}/${subject}`
}

interface Said {
  conclusion: Conclusion
  /** Ids: the exchange in which it shows, and those that a rule rests on. */
  exchange?: number | undefined
  rests?: readonly number[] | undefined
}

function callJudge(
  scenario: AnyScenario,
  named: NamedExchanges<string>,
  { crash, ending, notes }: ScenarioExecution,
  dialect: Dialect,
  subject: CheckSubject,
): Said {
  if (crash !== null) return { conclusion: { verdict: 'error', detail: `the scenario threw: ${crash}` } }
  const { exclusiveCredits = [] } = scenario.needs ?? {}
  const { credits: shared } = notes
  if (
    typeof shared === 'string' &&
    exclusiveCredits !== true &&
    exclusiveCredits.some((one) => one === subject)
  )
    return { conclusion: endedAs(notExercised('prerequisite-failed', shared).ending) }
  try {
    const judge = isClause(subject) ? scenario.judge[subject] : scenario.observe?.[subject]
    if (!judge) throw new Error(`the scenario has no judge for ${subject}`)
    const judgement = judge(named, { dialect, notes })
    return {
      conclusion: conclusionOf(judgement, subject),
      exchange: 'exchange' in judgement ? judgement.exchange : undefined,
      rests: 'rests' in judgement ? judgement.rests : undefined,
    }
  } catch (thrown) {
    if (thrown instanceof NotRun) return { conclusion: endedAs(ending, thrown.message) }
    if (thrown instanceof ScenarioEnded) return { conclusion: endedAs(thrown.ending) }
    const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
    return { conclusion: { verdict: 'error', detail: `the judge threw: ${detail}` } }
  }
}

function endedAs(ending: Ending | null, missing = ''): Conclusion {
  if (ending === null) return { verdict: 'inconclusive', detail: missing }
  if (ending.is === 'inconclusive') return withoutResult(ending)
  if (ending.is !== 'not-exercised') return { verdict: ending.is, detail: ending.because }
  return { verdict: 'not-exercised', reason: ending.reason, detail: ending.because }
}

function scenarioOf(
  scenario: AnyScenario,
  execution: ScenarioExecution,
  touched: Set<number>,
): NamedExchanges<string> {
  // What a rule judges is said by its judgement.
  if (scenario.rule) return { all: execution.exchanges } as unknown as NamedExchanges<string>
  const lists = new Set(
    scenario.exchanges.filter((name) => name.endsWith('[]')).map((name) => name.slice(0, -2)),
  )
  const named = (name: string): readonly Exchange[] =>
    execution.exchanges.filter((exchange) => exchange.name === name)
  const read = (_: object, name: string | symbol): unknown => {
    if (typeof name !== 'string') return undefined
    const found = named(name)
    const ending = execution.notes[skipped(name)]
    if (found.length === 0 && typeof ending === 'string')
      throw new ScenarioEnded(JSON.parse(ending) as Ending)
    for (const { id } of found) touched.add(id)
    if (found.length === 0 && (!lists.has(name) || execution.ending !== null))
      throw new NotRun(`\`${name}\` was not sent`)
    return lists.has(name) ? found : found.at(-1)
  }
  return new Proxy({}, { get: read })
}

function conclusionOf(judgement: Judgement, subject: CheckSubject): Conclusion {
  if (judgement.is === 'fail' || judgement.is === 'warn') return against(judgement, subject)
  if (judgement.is === 'observed') return seen(judgement.value, judgement.alike)
  if (judgement.is === 'inconclusive') return withoutResult(judgement)
  if (judgement.is !== 'pass') return { verdict: judgement.is, detail: judgement.because }
  if (!isClause(subject)) return seen(judgement.note)
  return judgement.note === undefined ? { verdict: 'pass' } : { verdict: 'pass', detail: judgement.note }
}

function seen(detail?: string, alike = detail): Conclusion {
  if (detail === undefined || alike === undefined) return { verdict: 'observed' }
  return { verdict: 'observed', detail, fingerprint: fingerprintSeen(alike) }
}

function withoutResult({ because, unmet }: Judgement & { is: 'inconclusive' }): Conclusion {
  const cause = unmet && { fingerprint: fingerprint(unmet.expected, unmet.got) }
  return { verdict: 'inconclusive', detail: because, ...cause }
}

function against(
  { is, expected, got, cited }: Judgement & { is: 'fail' | 'warn' },
  subject: CheckSubject,
): Conclusion {
  if (!isClause(subject))
    return {
      verdict: 'error',
      detail: `a gap may be observed, never judged: expected ${expected}, got ${got}`,
    }
  const softened = is === 'fail' && clauses[subject].level === 'should'
  return {
    verdict: softened ? 'warn' : is,
    ...(softened && { softened }),
    expected,
    got,
    ...(cited && { cited }),
    fingerprint: fingerprint(expected, got),
  }
}
