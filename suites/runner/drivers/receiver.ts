/** Runs the suite against a receiver of webhook deliveries. */
import { certificateProblem } from '../../wire/failure.ts'
import { randomUUID } from 'node:crypto'
import type { Run } from '../../../bundle/record.ts'
import { ConfigurationError } from '../../config/target.ts'
import { accepted, isDropped, noEffect, numberIn, timesWords } from '../../receivers/answers.ts'
import { firstEffects, preflightOf, runReceiverScenario, type Round } from '../../receivers/courier.ts'
import { receiverScenarios } from '../../receivers/index.ts'
import { Presence } from '../../receivers/presence.ts'
import type { ReceiverScenario } from '../../receivers/receiver-scenario.ts'
import { subjectSecrets, type Subject } from '../../receivers/subject.ts'
import { notExercised, stopped, type Ending } from '../../scenario/ending.ts'
import { createSource } from '../../scenario/source.ts'
import { createByteLedger } from '../../wire/budget/spending.ts'
import { createGovernor } from '../../wire/budget/governor.ts'
import { realClock, type Clock } from '../../wire/clock.ts'
import { identifiersIn, type Exchange, header } from '../../wire/exchange.ts'
import { createRecorder, createWire } from '../../wire/recorder.ts'
import { createRecording } from '../recording.ts'
import { createRedactor } from '../../../bundle/redaction/redaction.ts'
import { openingOf } from '../plan/opening.ts'
import { planStandard, type Planned } from '../plan/plan.ts'
import { TargetUnreachable } from '../plan/preflight.ts'
import { mustMatch } from '../plan/selection.ts'
import type { RunDriver, RunSettings } from '../run-driver.ts'
import { completeRun, openRun } from '../run-loop.ts'

export type ReceiverRunOptions = RunSettings

/** Throws TargetUnreachable and ConfigurationError; any other problem is a finding. */
export function runReceiver(subject: Subject, options: ReceiverRunOptions): Promise<Run> {
  const { clock = realClock() } = options
  const loop = openRun(receiverDriver(subject, clock, options), { ...options, clock })
  return completeRun(loop, async () => {
    for (const one of loop.planned.scenarios) await loop.run(one)
  })
}

/** Show by themselves whether a receiver accepts anything. */
const firsts = ['receiver-genuine/plain', 'receiver-spelled/written']

function receiverDriver(
  subject: Subject,
  clock: Clock,
  options: ReceiverRunOptions,
): RunDriver<ReceiverScenario> {
  const { seed, only = [], signal, runId = randomUUID(), version = 'development', origin } = options
  const { host, pathname, origin: baseUrl } = new URL(subject.url)
  const started = { startedAt: clock.wall(), ...(origin === undefined ? {} : { origin }) }
  const run = { id: runId, seed, only, ...started, profile: 'standard', optIn: [] } as const
  const about = { ...subject, name: `${host}${pathname}`, kind: 'receiver', baseUrl } as const
  const planned = planReceiver(subject, only)
  const { recording, wire, governor, recorder } = openWire(subject, clock, { ...options, runId })
  const presence = new Presence(subject, clock, signal)
  const distinct = { ...clock, wall: increasing(() => clock.wall()) }
  const round = { presence, subject, wire, clock: distinct, signal }
  const roundOf = (id: string): Round => ({ ...round, source: createSource(seed, runId, id) })
  let warning: string | null = null
  return {
    planned,
    opening: openingOf(run, about, version, receiverScenarios),
    scenarios: receiverScenarios,
    policy: subject.policy,
    dialect: {},
    recording,
    used: () => governor.used(),
    warning: (findings) =>
      warning ?? (findings.some(({ detail }) => detail?.includes(noEffect)) ? effectsWarning : null),
    abort: () => void recorder.close(),
    async begin() {
      warning = await preflight(roundOf('preflight'))
    },
    // Nothing that depends on an accepted delivery is tried if not even the first one was accepted.
    async execute({ id, scenario, outlook }) {
      if (outlook) return outlook
      if (warning !== null && !firsts.includes(id)) return stopped(warning).ending
      const ran = await runReceiverScenario(id, scenario, roundOf(id))
      // It was still starting when it refused the one before.
      const isUp = ran.exchanges.some((one) => one.name === 'genuine' && accepted(one).is === 'pass')
      if (warning !== null && isUp) warning = await preflight(roundOf('later preflight'))
      return ran
    },
    close: () => recorder.close(),
  }
}

/** What to look at before nothing is expected to be known of duplicates. */
const effectsWarning =
  'deliveries with new ids were answered 2xx and had no effect in time: see whether the receiver processes them later, or drops them for something besides the id'

/** A receiver that takes the timestamp for the id is to skip only deliveries that are meant to have the same. */
function increasing(wall: () => string): () => string {
  let last = 0
  return () => new Date((last = Math.max(last + 1, Date.parse(wall())))).toISOString()
}

const withoutEffects: Ending = notExercised(
  'effects-unknown',
  'give --effects with {id} in it, such as http://localhost:3000/effects/{id}',
).ending

/** `only`: see `planRun`. Throws a ConfigurationError for patterns and policy entries that match nothing. */
export function planReceiver(
  { policy, effects }: Subject,
  only: readonly string[] = [],
): Planned<ReceiverScenario> {
  mustMatch(receiverScenarios, only)
  const outlookOf = (scenario: ReceiverScenario): Ending | null =>
    scenario.effects && effects === null ? withoutEffects : null
  return planStandard(receiverScenarios, { policy, only, outlookOf, requests: 1 })
}

function openWire(
  subject: Subject,
  clock: Clock,
  { runId, signal, onProgress, redactor = createRedactor(subjectSecrets(subject)) }: ReceiverRunOptions,
) {
  const { origin } = new URL(subject.url)
  const effectsOrigin = subject.effects === null ? origin : new URL(subject.effects).origin
  const bytes = createByteLedger(subject.budgets)
  const recorder = createRecorder({
    baseUrl: origin,
    replicas: effectsOrigin === origin ? [] : [effectsOrigin],
    headers: subject.headers,
    timeoutMs: subject.answerTimeoutMs,
    clock,
    identifiers: subject.identifiers,
    bytes,
    wallSeconds: subject.budgets.wallSeconds,
    tracedRun: subject.trace === false ? undefined : runId,
  })
  const governor = createGovernor({
    budgets: subject.budgets,
    perMinuteWithoutKey: subject.requestsPerMinute,
    clock,
    signal,
    onProgress: (used) => onProgress?.({ is: 'spent', used }),
  })
  const recording = createRecording(redactor, (exchange) => onProgress?.({ is: 'exchange', exchange }))
  return {
    recording,
    wire: createWire({
      recorder,
      governor,
      refuses: (one) => bytes.refusal(one.scenario),
      onExchange: recording.add,
    }),
    governor,
    recorder,
  }
}

/**
 * Sends one genuine delivery before the run. Returns a warning if it was not accepted. Throws TargetUnreachable if
 * nothing answers there or where effects are read, and a ConfigurationError for a redirect, which no sender follows.
 */
async function preflight(round: Round): Promise<string | null> {
  const { subject, presence } = round
  const withinMs = subject.ends ? subject.restartMs : 0
  const exchange = await presence.comesBack(preflightOf(round, 'preflight'), { withinMs })
  const { response, failure } = exchange
  if (failure?.kind === 'budget' || failure?.kind === 'aborted') return null
  if (failure?.kind === 'cut' && !response) return null
  const { origin, pathname } = new URL(subject.url)
  mustHaveCertificate(`${origin}${pathname}`, failure)
  if (isUnanswered(exchange)) {
    const ends = subject.ends?.().length
    const tried = ends ? `, and its process ended ${timesWords(ends)},` : ''
    const what = failure?.kind === 'protocol' ? 'what answers is no HTTP server' : `nothing answers${tried}`
    const advice = isDropped(exchange)
      ? 'it is reached, and drops each connection: its handler probably throws, see its output'
      : `check the port, and that the receiver ${ends === 0 ? 'listens there: the command runs' : 'is up'}`
    throw new TargetUnreachable(
      `${what} at ${origin}${pathname} (${failure?.kind}: ${failure?.message}); ${advice}`,
    )
  }
  const status = response?.status ?? 0
  if (status >= 300 && status < 400)
    // The target of a redirect, which may repeat a token of the query.
    throw new ConfigurationError(
      `${origin}${pathname} redirects (${status}) to ${createRedactor(subjectSecrets(subject)).text(header(exchange, 'location')[0] ?? 'nowhere')}; give the address of the receiver itself`,
    )
  if (accepted(exchange).is === 'pass') return effectsAnswer(round)
  const got = response ? `answered ${status}` : 'not answered in time'
  const signature = `check that --secret is the secret of this receiver, that it signs the bytes received, and that it reads ${identifiersIn(subject).signatureHeader} in any case of letters (--vendor WORD sends another header)`
  const address = `check the port and the path: a receiver accepts POST ${pathname}`
  const advice = { 401: signature, 403: signature, 404: address, 405: address, 501: address }[status]
  return `before the run, a genuine delivery was ${got}${advice ? `: ${advice}` : ''}`
}

/** Returns null, or throws. */
async function effectsAnswer(round: Round, { effects } = round.subject): Promise<null> {
  if (effects === null) return null
  const exchange = await firstEffects(round)
  const { failure, response } = exchange
  const place = `--effects ${new URL(effects).origin}`
  mustHaveCertificate(place, failure)
  if (isUnanswered(exchange))
    throw new TargetUnreachable(
      `nothing answers at ${place} (${failure?.kind}: ${failure?.message}); check the address`,
    )
  const { status } = response ?? { status: 429 }
  const count = numberIn(exchange)
  if (count === 0 || status === 429 || status >= 500) return null
  throw new ConfigurationError(
    `${place}: for a delivery id that was never sent, it answered ${count ?? `status ${status} without a whole number`} in place of 0; return how often the id in the path was processed, with status 200, and 0 for an unknown one`,
  )
}

function mustHaveCertificate(place: string, failure: Exchange['failure']): void {
  const problem = failure && certificateProblem(failure)
  if (problem !== null) throw new ConfigurationError(`${place}: ${problem}`)
}

/** A timeout is an answer of a kind, and limits of the run are ours. */
const isUnanswered = ({ response, failure }: Exchange): boolean =>
  !response && !['timeout', 'budget', 'aborted', 'cut'].includes(failure?.kind ?? '')
