/** The steps of a drawn course: each as plain data, and what it sends, given the turns before it. */
import * as fc from 'fast-check'
import type { ChatRequest, Driver } from '../../scenario/driver.ts'
import { conversationOf } from '../../assertions/turn.ts'

export const carriers = ['body', 'Idempotency-Key', 'X-Idempotency-Key'] as const

/** A turn as it was asked for; what was sent is made of it anew, so that it can be changed in one thing. */
interface Turn {
  message: string
  key: string
  carrier: number
  stream: boolean
  /** Of the turn it goes on with. */
  conversation_id?: string
  /** Where it was answered. */
  answeredIn?: string | null
}

type Source = Pick<Driver, 'key' | 'text'>

/** `at` counts as far as there is something to count, and then from the beginning. */
type Command = (turns: readonly Turn[], at: number, source: Source) => Turn | ChatRequest | null

export interface Step {
  is: CommandName
  at: number
}

const fresh = ({ key, text }: Source, carrier: number, stream = false): Turn => ({
  message: text(40),
  key: key(),
  carrier: carrier % carriers.length,
  stream,
})

/** Changes one of the turns; no step where there is none yet. */
const ofTurn =
  (change: (turn: Turn, source: Source) => Turn): Command =>
  (turns, at, source) => {
    const turn = turns[at % turns.length]
    return turn ? change(turn, source) : null
  }

/** By the name under which their exchanges stand in the scenario: the judges go by it. */
export const commands = {
  turn: (_, at, source) => fresh(source, at),
  streamed: (_, at, source) => fresh(source, at, true),
  onward: (turns, at, source) => {
    const conversation_id = turns[at % turns.length]?.answeredIn
    return typeof conversation_id === 'string' ? { ...fresh(source, 0), conversation_id } : null
  },
  again: ofTurn((turn) => turn),
  otherMessage: ofTurn((turn, { text }) => ({ ...turn, message: text(60), stream: false })),
  otherMode: ofTurn((turn) => ({ ...turn, stream: !turn.stream })),
  otherCarrier: ofTurn((turn) => ({ ...turn, carrier: (turn.carrier + 1) % carriers.length })),
  empty: (_turns, _at, { key }) => ({ message: '', idempotency_key: key() }),
  keyless: (_turns, _at, { text }) => ({ message: text(40), idempotency_key: null }),
} as const satisfies Readonly<Record<string, Command>>
export type CommandName = keyof typeof commands
export const commandNames = Object.keys(commands) as readonly CommandName[]

/** Replays more often than all else: they are what every fault of a memory shows in. */
const weights: Partial<Record<CommandName, number>> = { turn: 3, streamed: 2, again: 4, otherMode: 2 }

export const step: fc.Arbitrary<Step> = fc.record({
  is: fc.oneof(...commandNames.map((name) => ({ weight: weights[name] ?? 1, arbitrary: fc.constant(name) }))),
  at: fc.nat(5),
})

function requestOf(turn: Turn): ChatRequest {
  const { message, key, carrier, stream, conversation_id } = turn
  const header = carriers[carrier]
  return {
    message,
    stream,
    ...(conversation_id === undefined ? {} : { conversation_id }),
    ...(header === undefined || header === 'body'
      ? { idempotency_key: key }
      : { idempotency_key: null, headers: [[header, key]] }),
  }
}

const isTurn = (asked: Turn | ChatRequest): asked is Turn => 'carrier' in asked

/** Runs a course with keys of its own. */
export async function walk(t: Driver<`${CommandName}[]`>, steps: readonly Step[]): Promise<void> {
  const turns: Turn[] = []
  for (const { is, at } of steps) {
    const asked = commands[is](turns, at, t)
    // Where there is nothing to refer to yet, a turn is begun in its place.
    const [name, sent] = asked === null ? (['turn', commands.turn(turns, at, t)] as const) : [is, asked]
    const exchange = await t.add(name, isTurn(sent) ? requestOf(sent) : sent)
    if (isTurn(sent) && turns.every(({ key }) => key !== sent.key))
      turns.push({ ...sent, answeredIn: conversationOf(exchange) })
  }
}
