/** Plays one act: opens its service, lets the client do its task, and takes what the service saw. */
import type { Clock } from '../wire/clock.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Performer } from './performer.ts'
import type { OpenStage, OpenStages } from './stage.ts'
import type { Act } from './story.ts'
import type { Task } from './task.ts'
import type { Performance } from './told.ts'

export interface Played {
  /** The first of them: a client that sends without end is answered, and no more than this is kept. */
  exchanges: readonly Exchange[]
  /** How many requests came in all. */
  requests: number
  performance: Performance
}

export interface Means {
  performer: Performer
  open: OpenStages
  clock: Clock
  signal: AbortSignal
}

export interface Call {
  scenario: string
  name: string
  /** Same seed, same keys and ids. */
  seed: string
  firstId: number
}

/** Exchanges of one act that are kept. */
export const mostKept = 200
const usualLimitMs = 10_000
const usualLingerMs = 250

/** Throws where its service cannot be opened, which is no doing of the client. */
export async function playAct(
  act: Act,
  { scenario, name, seed, firstId }: Call,
  { performer, open, clock, signal }: Means,
): Promise<Played> {
  const stage = await open(act.stage ?? {}, seed)
  try {
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
    const seen = stage.seen({ scenario, name, firstId })
    return { exchanges: seen.slice(0, mostKept), requests: seen.length, performance }
  } finally {
    await stage.close()
  }
}

/** The task with what somebody did before the client came. */
function completed(task: Task, given: OpenStage['given']): Task {
  return task.do === 'chat' || task.do === 'stream' ? { ...task, ...given } : task
}
