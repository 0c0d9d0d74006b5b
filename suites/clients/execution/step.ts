/** Runs one step: the client does its task, and the exchanges of its service are collected. */
import type { Clock } from '../../wire/clock.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { ClientStep } from '../client-scenario.ts'
import type { ClientTask, ClientRunner, ClientService, StartService } from './task.ts'
import type { StepResult } from '../../../reports/bundle/client-report.ts'

export interface StepExecution {
  /** The first ones; see `recordedExchanges`. */
  exchanges: readonly Exchange[]
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

/** The service of a step and of the steps that continue it. */
export interface OpenService {
  readonly running: ClientService
  /** Number of requests in earlier steps. */
  before: number
}

export interface ServicePool {
  /** The same seed gives the same keys and ids. Throws if the service cannot be started. */
  for(step: ClientStep, seed: string): Promise<OpenService>
  close(): Promise<void>
}

/** One service at a time: the previous one is closed before the next starts. */
export function createServicePool(open: StartService): ServicePool {
  let last: OpenService | null = null
  const close = async (): Promise<void> => {
    const closing = last
    last = null
    await closing?.running.close()
  }
  return {
    async for({ continues, service: setup = {} }, seed) {
      if (continues && last) return last
      await close()
      return (last = { running: await open(setup, seed), before: 0 })
    },
    close,
  }
}

/** Exchanges of one step that are recorded; further ones are counted. */
export const recordedExchanges = 200
/** With the start of a program, on a machine that may be busy with others, and the pauses of a client between two reads. */
const defaultLimitMs = 30_000
const defaultLingerMs = 250

export async function runStep(
  step: ClientStep,
  service: OpenService,
  { scenario, name, firstId }: StepId,
  { runner, clock, signal }: StepDeps,
): Promise<StepExecution> {
  const { running, before } = service
  const result = await runner.runStep(
    {
      name: `${scenario}/${name}`,
      service: running,
      task: withPrepared(step.task, running.prepared),
      limitMs: step.limitMs ?? defaultLimitMs,
    },
    signal,
  )
  await clock.sleep(runner.lingerMs ?? defaultLingerMs, signal)
  const seen = running.seen({ scenario, name, firstId: firstId - before }).slice(before)
  service.before += seen.length
  return { exchanges: seen.slice(0, recordedExchanges), requests: seen.length, result }
}

function withPrepared(task: ClientTask, prepared: ClientService['prepared']): ClientTask {
  return task.do === 'chat' || task.do === 'stream' ? { ...task, ...prepared } : task
}
