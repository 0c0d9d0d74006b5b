/** A whole run against a receiver: everything that was planned is run in order and ends with a verdict. */
import { randomUUID } from 'node:crypto'
import { notExercised, stopped, type Ending } from '../scenario/ending.ts'
import { judgeScenario, notRun } from '../runner/outcome/judge.ts'
import { TargetUnreachable } from '../runner/plan/preflight.ts'
import type { Progress } from '../runner/progress.ts'
import { createSource } from '../scenario/source.ts'
import type { Finding, Run, RunRecord, ScenarioRun } from '../../reports/bundle/record.ts'
import { ConfigurationError } from '../config/configuration-error.ts'
import { header } from '../wire/body.ts'
import { realClock, type Clock } from '../wire/clock.ts'
import type { Exchange } from '../wire/exchange.ts'
import { createGovernor } from '../wire/budget/governor.ts'
import { createRecorder } from '../wire/recorder.ts'
import { createRedactor } from '../../reports/bundle/redaction/redaction.ts'
import { createWire } from '../wire/wire.ts'
import { accepted } from './answers.ts'
import { genuineOf, posting, tell, type Round } from './courier.ts'
import { planReceiver, type PlannedReceiver, type PlannedReceiverScenario } from './plan.ts'
import { receiverOpening, receiverRecord } from './record.ts'
import { secretsOf, type Subject } from './subject.ts'

export interface ReceiverRunOptions {
  seed: number
  /** Patterns; see `planRun`. */
  only?: readonly string[]
  clock?: Clock
  onProgress?: (progress: Progress) => void
  /** Ends the run early; what was not told is then not exercised. */
  signal?: AbortSignal
  version?: string
  runId?: string
}

/** Throws TargetUnreachable and ConfigurationError; whatever else goes wrong is a finding. */
export async function runReceiver(subject: Subject, options: ReceiverRunOptions): Promise<Run> {
  const {
    signal,
    onProgress,
    seed,
    clock = realClock(),
    version = 'development',
    runId = randomUUID(),
  } = options
  const { only = [] } = options
  const planned = planReceiver(subject, only)
  const opening = receiverOpening(subject, { id: runId, seed, only, startedAt: clock.wall() }, version)
  onProgress?.({ is: 'planned', planned, opening })
  const { journal, wire, governor, recorder } = equip(subject, clock, options)
  const roundOf = (id: string): Round => ({
    subject,
    wire,
    clock,
    source: createSource(seed, runId, id),
    signal,
  })
  const close = (): void => void recorder.close()
  signal?.addEventListener('abort', close, { once: true })
  try {
    const warning = await preflight(roundOf('preflight'))
    const { found, scenarioRuns } = await tellAll(planned, {
      ...options,
      roundOf,
      warning,
      used: () => governor.used(),
    })
    const endedAt = clock.wall()
    const used = governor.used()
    const record = receiverRecord(subject, { planned, opening, endedAt, found, scenarioRuns, used, warning })
    return { record, journal: journal.toSorted((a, b) => a.id - b.id) }
  } finally {
    signal?.removeEventListener('abort', close)
    await recorder.close()
  }
}

function equip(subject: Subject, clock: Clock, { signal, onProgress }: ReceiverRunOptions) {
  const { origin } = new URL(subject.url)
  const elsewhere = subject.effects === null ? origin : new URL(subject.effects).origin
  const recorder = createRecorder({
    baseUrl: origin,
    replicas: elsewhere === origin ? [] : [elsewhere],
    headers: subject.headers,
    timeoutMs: subject.answerTimeoutMs,
    clock,
    identifiers: subject.identifiers,
  })
  const governor = createGovernor({
    budgets: subject.budgets,
    clock,
    signal,
    onProgress: (used) => onProgress?.({ is: 'spent', used }),
  })
  const journal: Exchange[] = []
  const onExchange = (exchange: Exchange): void => {
    journal.push(exchange)
    onProgress?.({ is: 'exchange', exchange })
  }
  const wire = createWire({ recorder, governor, onExchange })
  return { journal, wire, governor, recorder }
}

/**
 * One genuine delivery before the run. Returns a warning for a person where it was not accepted. Throws
 * TargetUnreachable where nothing answers, and a ConfigurationError for a redirect, which no sender follows.
 */
async function preflight(round: Round): Promise<string | null> {
  const { subject, wire } = round
  const exchange = await wire.send(posting('preflight', 'preflight', genuineOf(round), subject), { turns: 0 })
  const { response, failure } = exchange
  if (failure?.kind === 'budget' || failure?.kind === 'aborted') return null
  const { origin, pathname } = new URL(subject.url)
  if (!response && failure?.kind !== 'timeout')
    throw new TargetUnreachable(
      `nothing answers at ${origin}${pathname} (${failure?.kind}: ${failure?.message}); check the address and that the receiver is up`,
    )
  const status = response?.status ?? 0
  if (status >= 300 && status < 400)
    throw new ConfigurationError(
      `${origin}${pathname} redirects (${status}) to ${destination(exchange, subject)}; give the address of the receiver itself`,
    )
  if (accepted(exchange).is === 'pass') return null
  const got = response ? `answered ${status}` : 'not answered in time'
  const secret =
    status === 401 || status === 403 ? ': check that --secret is the secret of this receiver' : ''
  return `before the run, a genuine delivery was ${got}${secret}`
}

interface Told {
  found: readonly Finding[]
  scenarioRun: ScenarioRun | null
}

interface Telling extends Pick<ReceiverRunOptions, 'signal' | 'onProgress'> {
  roundOf: (id: string) => Round
  warning: string | null
  used: () => RunRecord['used']
}

async function tellAll(planned: PlannedReceiver, { roundOf, warning, used, signal, onProgress }: Telling) {
  const told: Told[] = []
  for (const [index, entry] of planned.scenarios.entries()) {
    const { id, scenario } = entry
    onProgress?.({
      is: 'scenario',
      scenario: id,
      title: scenario.title,
      at: index + 1,
      of: planned.scenarios.length,
    })
    const result = await tellOne(entry, roundOf(id), signal, warning)
    for (const finding of result.found) onProgress?.({ is: 'finding', finding })
    if (result.scenarioRun) onProgress?.({ is: 'told', scenario: result.scenarioRun, used: used() })
    told.push(result)
  }
  return {
    found: told.flatMap(({ found }) => found),
    scenarioRuns: told.flatMap(({ scenarioRun: scenario }) => (scenario ? [scenario] : [])),
  }
}

/** Tells by itself what a receiver that accepts nothing is asked. */
const first = 'receiver-genuine/plain'

const interrupted: Ending = notExercised('interrupted', 'the run ended before it was run').ending

/** What rests on a genuine delivery is not tried where not even the first was accepted. */
async function tellOne(
  planned: PlannedReceiverScenario,
  round: Round,
  signal: AbortSignal | undefined,
  warning: string | null,
): Promise<Told> {
  const { id, scenario, outlook, subjects } = planned
  const asked = (found: readonly Finding[]) => found.filter(({ subject }) => subjects.includes(subject))
  const left = (ending: Ending): Told => ({ found: asked(notRun(id, scenario, ending)), scenarioRun: null })
  if (outlook) return left(outlook)
  if (signal?.aborted) return left(interrupted)
  if (warning !== null && id !== first) return left(stopped(warning).ending)
  const execution = await tell(id, scenario, round)
  if (signal?.aborted) return left(interrupted)
  const { exchanges: _, ...record } = execution
  return { found: asked(judgeScenario(id, scenario, execution, {})), scenarioRun: record }
}

/** Where a redirect leads, which may repeat a token of the query. */
function destination(exchange: Exchange, subject: Subject): string {
  return createRedactor(secretsOf(subject)).text(header(exchange, 'location')[0] ?? 'nowhere')
}
