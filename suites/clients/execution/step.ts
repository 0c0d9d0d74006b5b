/** Runs one act: lets the client do its task, and takes what its service saw. */
import type { Clock } from '../../wire/clock.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Performer } from './client-runner.ts'
import type { OpenStage, OpenStages } from './service.ts'
import type { Act } from '../client-scenario.ts'
import type { Task } from './task.ts'
import type { Performance } from './report.ts'

export interface ScenarioExecution {
  /** The first of them: a client that sends without end is answered, and no more than this is kept. */
  exchanges: readonly Exchange[]
  /** How many requests came in all. */
  requests: number
  performance: Performance
}

export interface Deps {
  performer: Performer
  clock: Clock
  signal: AbortSignal
}

export interface Call {
  scenario: string
  name: string
  firstId: number
}

/** The service of an act, and of those that go on with it. */
export interface Service {
  readonly stage: OpenStage
  /** Requests of the acts before. */
  before: number
}

export interface Services {
  /** `seed`: same seed, same keys and ids. Throws where it cannot be opened, which is no doing of the client. */
  for(act: Act, seed: string): Promise<Service>
  close(): Promise<void>
}

/** One at a time: the one before is closed when another is opened. */
export function createServices(open: OpenStages): Services {
  let last: Service | null = null
  const close = async (): Promise<void> => {
    const closing = last
    last = null
    await closing?.stage.close()
  }
  return {
    async for({ goesOn, stage = {} }, seed) {
      if (goesOn && last) return last
      await close()
      return (last = { stage: await open(stage, seed), before: 0 })
    },
    close,
  }
}

/** Exchanges of one act that are kept. */
export const mostKept = 200
const usualLimitMs = 10_000
const usualLingerMs = 250

export async function runAct(
  act: Act,
  service: Service,
  { scenario, name, firstId }: Call,
  { performer, clock, signal }: Deps,
): Promise<ScenarioExecution> {
  const { stage, before } = service
  const performance = await performer.perform(
    {
      name: `${scenario}/${name}`,
      stage,
      task: completed(act.task, stage.given),
      limitMs: act.limitMs ?? usualLimitMs,
    },
    signal,
  )
  await clock.sleep(performer.lingerMs ?? usualLingerMs, signal)
  const seen = stage.seen({ scenario, name, firstId: firstId - before }).slice(before)
  service.before += seen.length
  return { exchanges: seen.slice(0, mostKept), requests: seen.length, performance }
}

/** The task with what somebody did before the client came. */
function completed(task: Task, given: OpenStage['given']): Task {
  return task.do === 'chat' || task.do === 'stream' ? { ...task, ...given } : task
}
