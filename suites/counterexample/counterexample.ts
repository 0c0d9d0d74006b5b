/** Makes the counterexamples of a run, one for every check that failed or warned, and the files of each. Pure. */
import { clauses, clauseText, identifiersIn, ownText, type ClauseId } from '../../spec/index.ts'
import { clauseSetOf } from '../policy/clause-set-file.ts'
import { exploredOf } from '../models/sequences.ts'
import { type Attempt, attemptsByScenario } from '../runner/outcome/attempts.ts'
import type { Scenarios } from '../runner/plan/plan.ts'
import type { AnyScenario, Needs, PrincipalNeed } from '../scenario/scenario.ts'
import type { Finding, Run, ScenarioRun, Expectation } from '../../bundle/record.ts'
import type { Target } from '../config/target.ts'
import { type Exchange, deniesReplay, header } from '../wire/exchange.ts'
import {
  flatSteps,
  referencesIn,
  schemaVersion,
  type Counterexample,
  type StepExpectation,
  scriptOf,
} from './file.ts'
import { identifyExchanges, writeSteps, type WrittenSteps, surroundingsOf } from './steps.ts'
import { isObject } from '../../spec/json.ts'
import { codesOf, isReplay, object } from '../assertions/answer.ts'
import { canonical, events, fields } from '../assertions/reply.ts'
import { keyOfRequest, overlap } from '../chat/assertions/race.ts'
import type { IdentifiedExchange } from './references.ts'
import { counterexampleFolder, journalFile, type counterexampleFiles } from '../../bundle/names.ts'
import { writeJournal } from '../../bundle/journal/codec.ts'
import { evidenceFolder } from '../../bundle/journal/evidence.ts'
import { simulatorUrl, simulateAgain } from '../../bundle/curl.ts'

export interface Origin {
  target: Target
  scenarios: Scenarios
}

export interface FoundCounterexample {
  counterexample: Counterexample
  exchanges: readonly Exchange[]
}

/** `run` must be without secrets. A finding without exchanges to show has no counterexample. */
export function counterexamplesOf(run: Run, origin: Origin): readonly FoundCounterexample[] {
  const red = run.record.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  const worstFirst = red.toSorted((a, b) => Number(a.verdict === 'warn') - Number(b.verdict === 'warn'))
  return worstFirst.flatMap((finding) => foundOf(finding, run, origin) ?? [])
}

function foundOf(finding: Finding, run: Run, { target, scenarios }: Origin): FoundCounterexample | null {
  // A rule judges what another scenario sent.
  const isRule = scenarios[finding.scenario]?.rule === true
  const shown = run.journal.find(({ id }) => id === finding.evidence[0])
  const sender = (isRule ? shown?.scenario : undefined) ?? finding.scenario
  const scenario = scenarios[sender]
  const made = attemptsByScenario(run.record.scenarioRuns).get(sender) ?? []
  const attempt = made.find(({ has }) => shown !== undefined && has(shown)) ?? made[0]
  if (!scenario || !attempt) return null
  const { run: planned } = attempt
  const exchanges = courseOf(finding, attempt, run.journal)
  if (exchanges.length === 0) return null
  const sent = exchanges
    .filter(({ inbound }) => !inbound)
    .map((one) => (isRule ? { ...one, name: 'all' } : one))
  const written = writeSteps({
    exchanges: sent,
    dialect: target.dialect,
    around: surroundingsOf(sender, scenario, target),
    targetHeaders: target.headers.map(([name]) => name.toLowerCase()),
  })
  const because = whyScenario(scenario, planned, sent, written)
  if (isRule && (because !== null || scenario.needs?.others)) return null
  const { steps } = written
  const expect = expectationsOf(finding, identifyExchanges(sent))
  const counterexample: Counterexample = {
    ...headOf(finding, run, planned),
    replay: because === null ? 'steps' : 'scenario',
    ...(because === null ? {} : { because }),
    needs: needsOf(scenario, finding, target, flatSteps({ steps })),
    steps,
    notes: Object.fromEntries(Object.entries(planned.notes).filter(([name]) => carried.includes(name))),
    expect,
  }
  return { counterexample, exchanges }
}

/** All of a scenario; of one that drew many courses, the one that the finding rests on. */
function courseOf(
  { evidence }: Finding,
  { run: { notes }, has }: Attempt,
  journal: readonly Exchange[],
): readonly Exchange[] {
  const own = journal.filter(has)
  if (exploredOf(notes) === null || evidence.length === 0) return own
  const [from, to] = [Math.min(...evidence), Math.max(...evidence)]
  return own.filter(({ id }) => id >= from && id <= to)
}

function headOf(finding: Finding, { record }: Run, scenario: ScenarioRun) {
  const { check, subject, title, expected = '', got = '', detail } = finding
  const clause = subject as ClauseId
  const { source } = clauses[clause]
  const level = clauseSetOf(record.contract)[clause] ?? clauses[clause].level
  const text = ownText(record.contract, clause) ?? clauseText(clause, identifiersIn(record.target))
  const { identifiers } = record.target
  const reproduced = exploredOf(scenario.notes)?.failure?.reproduced ?? null
  return {
    schemaVersion,
    tool: { name: record.tool.name, version: record.tool.version },
    contract: record.contract,
    check,
    clause: { id: subject, level, text, source },
    title,
    ...(identifiers === undefined ? {} : { identifiers }),
    verdict: finding.verdict === 'warn' ? 'warn' : 'fail',
    expected,
    got,
    ...(detail === undefined ? {} : { detail }),
    found: {
      run: record.run.id,
      at: record.run.startedAt,
      seed: record.run.seed,
      target: record.target.name,
      reproduced,
    },
  } as const
}

/** Why sending the same requests would not repeat the scenario, or null. */
function whyScenario(
  { needs = {} }: AnyScenario,
  { states, notes }: ScenarioRun,
  sent: readonly Exchange[],
  { obstacles }: WrittenSteps,
): string | null {
  const reasons = [
    ...(states.length > 0 ? [`it needs ${states.map(({ state }) => state).join(', ')}`] : []),
    ...wanted.filter(([need]) => needs[need] !== undefined).map(([, words]) => words),
    ...(sent.some((exchange) => !isPlain(exchange))
      ? ['it has requests of more kinds than chat and reads']
      : []),
    ...(needs.principal?.kind === 'sacrificial'
      ? ['it is about how fast requests follow on one another']
      : []),
    ...Object.keys(notes)
      .filter((name) => !/^(?:explored|minimal): /.test(name) && !carried.includes(name))
      .map((name) => `its judges know something of the run that found it: ${name}`),
    ...obstacles,
  ]
  return reasons.length === 0 ? null : [...new Set(reasons)].join('; ')
}

const wanted: readonly (readonly [keyof Needs, string])[] = [
  ['session', 'it needs a signed-in user'],
  ['receiver', 'it needs a receiver of deliveries'],
  ['operation', 'it needs an operation that the target declares'],
  ['replicas', 'it needs further addresses of the target'],
  ['older', 'it needs a key of the older variant'],
]

function isPlain({ request }: Exchange): boolean {
  const { method, path } = request
  if (method === 'GET') return shownReads.test(path)
  return method === 'POST' && /^\/api\/v1\/chat\/[^/?]+$/.test(path)
}

/** Where every other read is, each target file says for itself. */
const shownReads = /^\/api\/v1\/(?:operations|tasks\/[^/?]+|approvals\/[^/?]+|billing\/usage)$/

/** Notes that speak of what was sent, which a replay sends again. */
const carried: readonly string[] = ['marker']

function needsOf(
  { needs = {} }: AnyScenario,
  { states }: Finding,
  target: Target,
  steps: ReturnType<typeof flatSteps>,
): Counterexample['needs'] {
  const people = { self: needs.principal ?? {}, ...needs.others }
  const taking = new Set(steps.map((step) => step.as))
  const principals = Object.entries(people)
    .filter(([role]) => role === 'self' || taking.has(role))
    .map(([role, need]) => [role, wordsOf(need)] as const)
  const agents = steps.flatMap(referencesIn).flatMap((found) => ('agent' in found ? [found.agent] : []))
  const workflow = states.some(({ state }) => state.startsWith('workflow.')) ? ['workflow'] : []
  return {
    principals: Object.fromEntries(principals),
    agents: [...new Set([...agents, ...workflow])],
    states,
    session: needs.session === true,
    receiver: needs.receiver === true,
    optIn: (needs.optIn ?? []).filter((one) => target.optIn.includes(one)),
  }
}

function wordsOf({ kind = 'ordinary', with: having = [], without = [] }: PrincipalNeed): string {
  const scopes =
    having.length === 0 && without.includes('chat') ? [] : having.length === 0 ? ['chat'] : having
  return [
    kind.replaceAll('-', ' '),
    ...(scopes.length > 0 ? [`with ${scopes.join(', ')}`] : []),
    ...(without.length > 0 ? [`without ${without.join(', ')}`] : []),
  ].join(', ')
}

function expectationsOf(
  { expect = [], evidence }: Finding,
  all: readonly IdentifiedExchange[],
): readonly StepExpectation[] {
  const shown = all.find(({ exchange }) => exchange.id === evidence[0])
  if (!shown) return []
  const unmet = expect
    .flatMap((one) => inSteps(one, all) ?? [])
    .map((one): StepExpectation => ({ step: shown.id, ...one }))
    .filter((one) => !isMet(one, all))
  // Two different messages raced for one key: what a request must get depends on which of them won.
  const same = all.filter((other) => keyOfRequest(other.exchange) === keyOfRequest(shown.exchange))
  return same.some((one) =>
    same.some(
      (other) =>
        overlap(one.exchange, other.exchange) &&
        !Buffer.from(one.exchange.request.body).equals(other.exchange.request.body),
    ),
  )
    ? unmet.filter((one) => 'oneRunWith' in one)
    : unmet
}

/** With steps in place of exchanges; null if one of these was not sent by the suite. */
function inSteps(expect: Expectation, all: readonly IdentifiedExchange[]): Expectation<string> | null {
  const stepOf = (id: number): string | undefined => all.find(({ exchange }) => exchange.id === id)?.id
  if ('oneRunWith' in expect) return { oneRunWith: expect.oneRunWith.flatMap((id) => stepOf(id) ?? []) }
  const step = 'sameAs' in expect ? stepOf(expect.sameAs) : 'unlike' in expect ? stepOf(expect.unlike) : ''
  if (step === undefined) return null
  if ('sameAs' in expect) return { ...expect, sameAs: step }
  return 'unlike' in expect ? { ...expect, unlike: step } : expect
}

function isMet(expect: StepExpectation, all: readonly IdentifiedExchange[]): boolean {
  const at = (id: string): Exchange | undefined => all.find((one) => one.id === id)?.exchange
  const exchange = at(expect.step)
  if (!exchange?.response) return true
  const { status } = exchange.response
  if ('status' in expect) return status >= expect.status[0] && status <= expect.status[1]
  if ('header' in expect) return hasHeader(expect, exchange)
  if ('type' in expect) return hasType(expect.type, (fields(exchange) ?? object(exchange))?.[expect.field])
  if ('event' in expect) return events(exchange, expect.event).length === expect.times
  if ('sameAs' in expect) return isSame(expect.field, exchange, at(expect.sameAs))
  if ('unlike' in expect) return status !== 200 || !isSame(expect.field, exchange, at(expect.unlike))
  if ('code' in expect) return codesOf(exchange).includes(expect.code)
  if ('turn' in expect) return !isTurn(exchange)
  const others = expect.oneRunWith.map(at).filter((other) => other !== undefined)
  return [exchange, ...others].filter(isTurn).length <= 1
}

function isTurn(exchange: Exchange): boolean {
  return exchange.response?.status === 200 && !isReplay(exchange)
}

function hasHeader(
  { header: name, is, part }: Extract<Expectation, { header: string }>,
  exchange: Exchange,
): boolean {
  const values = header(exchange, name)
  if (is === null) return values.every(deniesReplay)
  return part ? values.some((value) => value.includes(is)) : values.length === 1 && values[0] === is
}

function isSame(field: string, one: Exchange, other: Exchange | undefined): boolean {
  return other !== undefined && canonical(fields(one)?.[field]) === canonical(fields(other)?.[field])
}

function hasType(type: string, value: unknown): boolean {
  if (type === 'absent') return value === undefined
  if (type === 'object') return isObject(value)
  if (type === 'filled string') return typeof value === 'string' && value !== ''
  return typeof value === type
}

/** A target that breaks more than this is seen to be broken without more of them. */
const most = 200

/** By path below one folder: the replay file, the script and the exchanges of each counterexample. */
export function counterexampleFilesOf(run: Run, origin: Origin): ReadonlyMap<string, string> {
  const found = counterexamplesOf(run, origin).slice(0, most)
  // What the script uses where nothing else is set. A simulator is gone after the run; one like it can be started.
  const { record } = run
  const { target } = origin
  const start = simulateAgain(record)
  const defaults = {
    BASE_URL: start === null ? record.target.baseUrl : simulatorUrl,
    AGENT_ID: target.agents.plain,
    ...(start === null ? {} : { start }),
  }
  return new Map(
    found.flatMap((one) => {
      const { counterexample, exchanges } = one
      const contents = {
        'replay.json': `${JSON.stringify(counterexample, null, 2)}\n`,
        'repro.sh': scriptOf(counterexample, defaults),
        'exchanges.ndjson': writeJournal(exchanges.map(shortened)),
      } satisfies Record<(typeof counterexampleFiles)[number], string>
      const folder = counterexampleFolder(counterexample.check)
      return Object.entries(contents).map(([name, content]) => [`${folder}/${name}`, content])
    }),
  )
}

/** Bytes of a response that are repeated beside a counterexample; the journal of the run has all. */
const mostOfBody = 16_384

function shortened(exchange: Exchange): Exchange {
  const { response } = exchange
  const chunks = response?.chunks ?? []
  const length = chunks.reduce((sum, { bytes }) => sum + bytes.length, 0)
  if (response === null || length <= mostOfBody) return exchange
  let left = mostOfBody
  const first = chunks.flatMap(({ at, bytes }) => {
    const part = bytes.subarray(0, left)
    left -= part.length
    return part.length > 0 ? [{ at, bytes: part }] : []
  })
  const note = `…, ${length} bytes in ${evidenceFolder}/ and ${journalFile}`
  const last = { at: response.at, bytes: new TextEncoder().encode(note) }
  return { ...exchange, response: { ...response, chunks: [...first, last] } }
}
