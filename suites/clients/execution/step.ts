/** Runs one act: lets the client do its task, and takes what its service saw. */
import type { Clock } from '../../wire/clock.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { ClientRunner } from './client-runner.ts'
import type { ClientService, StartService } from './service.ts'
import type { ClientStep } from '../client-scenario.ts'
import type { ClientTask } from './task.ts'
import type { StepResult } from '../../../reports/bundle/client-report.ts'

export interface StepExecution {
  /** The first of them: a client that sends without end is answered, and no more than this is kept. */
  exchanges: readonly Exchange[]
  /** How many requests came in all. */
  requests: number
  result: StepResult
}

export interface StepDeps {
  runner: ClientRunner
  clock: Clock
  signal: AbortSignal
}

export interface StepId {
  scenario: string
  name: string
  firstId: number
}

/** The service of an act, and of those that go on with it. */
export interface OpenService {
  readonly stage: ClientService
  /** Requests of the acts before. */
  before: number
}

export interface ServicePool {
  /** `seed`: same seed, same keys and ids. Throws where it cannot be opened, which is no doing of the client. */
  for(act: ClientStep, seed: string): Promise<OpenService>
  close(): Promise<void>
}

/** One at a time: the one before is closed when another is opened. */
export function createServicePool(open: StartService): ServicePool {
  let last: OpenService | null = null
  const close = async (): Promise<void> => {
    const closing = last
    last = null
    await closing?.stage.close()
  }
  return {
    async for({ continues: goesOn, service: stage = {} }, seed) {
      if (goesOn && last) return last
      await close()
      return (last = { stage: await open(stage, seed), before: 0 })
    },
    close,
  }
}

/** Exchanges of one act that are kept. */
export const recordedExchanges = 200
const defaultLimitMs = 10_000
const defaultLingerMs = 250

export async function runStep(
  act: ClientStep,
  service: OpenService,
  { scenario, name, firstId }: StepId,
  { runner, clock, signal }: StepDeps,
): Promise<StepExecution> {
  const { stage, before } = service
  const result = await runner.runStep(
    {
      name: `${scenario}/${name}`,
      service: stage,
      task: withPrepared(act.task, stage.prepared),
      limitMs: act.limitMs ?? defaultLimitMs,
    },
    signal,
  )
  await clock.sleep(runner.lingerMs ?? defaultLingerMs, signal)
  const seen = stage.seen({ scenario, name, firstId: firstId - before }).slice(before)
  service.before += seen.length
  return { exchanges: seen.slice(0, recordedExchanges), requests: seen.length, result: result }
}

/** The task with what somebody did before the client came. */
function withPrepared(task: ClientTask, given: ClientService['prepared']): ClientTask {
  return task.do === 'chat' || task.do === 'stream' ? { ...task, ...given } : task
}
