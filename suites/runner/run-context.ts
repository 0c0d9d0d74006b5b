/** The shared parts of a run: clock, recorder, governor, control, and fresh values per scenario. */
import { randomUUID } from 'node:crypto'
import { createRedactor } from '../../bundle/redaction/redaction.ts'
import { secretsOf } from '../config/secret-values.ts'
import type { Target } from '../config/target.ts'
import { realClock, sleepingUntil, type Clock } from '../wire/clock.ts'
import type { Exchange } from '../wire/exchange.ts'
import { createByteLedger, type ByteLedger } from '../wire/budget/spending.ts'
import { createGovernor, type Governor } from '../wire/budget/governor.ts'
import { createRecorder, type Outgoing, type Recorder, createWire, type Wire } from '../wire/recorder.ts'
import { createControl, type Control } from './states/control.ts'
import { environmentFails, notExercised } from '../scenario/ending.ts'
import { createEnvelopeSearch, type EnvelopeSearch } from './requests/execution-request.ts'
import type { Insistence } from './scenario-context.ts'
import { createKeyRing, type KeyRing } from './requests/key-ring.ts'
import { refusedByReadOnly } from './plan/read-only.ts'
import type { RequestDefaults } from './requests/request.ts'
import { createRecording, type Recording } from './recording.ts'
import type { SessionOptions } from './run-driver.ts'
import { sharedTime, type SharedTime } from './states/settings.ts'
import { createSource } from '../scenario/source.ts'

export interface RunContext {
  runId: string
  version: string
  clock: Clock
  /** ISO 8601, UTC. */
  startedAt: string
  /** All exchanges with the target as they were, in the order they ended. */
  journal: readonly Exchange[]
  recording: Recording
  recorder: Recorder
  governor: Governor
  wire: Wire
  control: Control | null
  ring: KeyRing
  envelope: EnvelopeSearch
  /** What the run may still spend on refusals that say nothing when they come once. */
  insistence: Insistence
  time: SharedTime
  requestDefaults(scenario: string): RequestDefaults
  /** A scenario waits on it: no wait goes on after the time of the run. */
  waiting: Clock
  /** Says so once the time of the run is over. */
  late: () => string | null
  /** Waits on the target's clock. Throws a ScenarioEnded once the time of the run is over, as `pause` does. */
  wait(ms: number): Promise<void>
  pause(ms: number): Promise<void>
}

async function advanceBy(ms: number, control: Control): Promise<number> {
  return control.advance(ms).catch(environmentFails('prerequisite-failed'))
}

function timeLimit({ wallSeconds }: Target['budgets'], clock: Clock, signal: AbortSignal | undefined) {
  const waiting = sleepingUntil(wallSeconds * 1000, clock)
  const late = (): string | null =>
    clock.now() < wallSeconds * 1000 ? null : `the run may take ${wallSeconds} seconds, and they are over`
  const mustBeInTime = (): void => {
    const words = late()
    if (words !== null) throw notExercised('budget-exhausted', words)
  }
  async function pause(ms: number): Promise<void> {
    await waiting.sleep(ms, signal)
    mustBeInTime()
  }
  return { waiting, late, mustBeInTime, pause }
}

function refusals(target: Target, bytes: ByteLedger): (request: Outgoing) => string | null {
  return (request) => refusedByReadOnly(request, target) ?? bytes.refusal(request.scenario)
}

function valuesOf(...of: Parameters<typeof createSource>): Pick<RequestDefaults, 'source' | 'count'> {
  let counted = 0
  return { source: createSource(...of), count: () => ++counted }
}

export function startRunContext(target: Target, options: SessionOptions): RunContext {
  const { clock = realClock(), runId = randomUUID(), version = 'development', seed, onProgress } = options
  const { timing, budgets } = target
  const recording = createRecording(options.redactor ?? createRedactor(secretsOf(target)), (exchange) =>
    onProgress?.({ is: 'exchange', exchange }),
  )
  const onLog = (line: string): void => onProgress?.({ is: 'log', line: recording.redactor.text(line) })
  const control = target.control && createControl(target.control, onLog)
  // A target whose clock is ours to advance, and that offers no way to, is one on which nothing needs waiting for.
  const moved = control && ((ms: number) => advanceBy(ms, control))
  const time = sharedTime(clock, timing.clock === 'control' ? moved : undefined)
  const bytes = createByteLedger(budgets)
  const recorder = createRecorder({
    ...target,
    access: target,
    timeoutMs: timing.answerTimeoutMs,
    clock,
    bytes,
    wallSeconds: budgets.wallSeconds,
    tracedRun: target.trace === false ? undefined : runId,
    ...(options.shard && { ids: { first: options.shard.number, step: options.shard.of } }),
  })
  const governor = createGovernor({
    budgets,
    clock,
    wait: time.advance,
    signal: options.signal,
    onProgress: ({ waiting, ...used }) =>
      onProgress?.({ is: 'spent', used, ...(waiting ? { waiting } : {}) }),
  })
  const wire = createWire({ recorder, governor, refuses: refusals(target, bytes), onExchange: recording.add })
  const limit = timeLimit(budgets, clock, options.signal)
  return {
    runId,
    version,
    clock,
    journal: recording.originals,
    recording,
    recorder,
    governor,
    wire,
    control,
    ring: createKeyRing(),
    envelope: createEnvelopeSearch(target.dialect.execution?.input, target.fixtures.operations),
    insistence: { left: 12, leftSlow: 4 },
    time,
    ...limit,
    startedAt: clock.wall(),
    requestDefaults: (scenario) => ({
      scenario,
      userAgent: `touchstone/${version} (${scenario}; run=${runId})`,
      ...valuesOf(seed, runId, scenario),
    }),
    async wait(ms) {
      if (!time.advance) return limit.pause(ms)
      await time.advance(ms)
      governor.skip(ms)
      limit.mustBeInTime()
    },
  }
}
