/** The commands of a chat sequence as plain data, and the request that each sends after the turns before it. */
import * as fc from 'fast-check'
import type { ChatRequest, Driver } from '../../scenario/scenario.ts'
import { conversationOf } from '../../assertions/turn.ts'

export const carriers = ['body', 'Idempotency-Key', 'X-Idempotency-Key'] as const

/** The turn of a request, from which the request is built again with at most one change. */
interface Turn {
  message: string
  key: string
  carrier: number
  stream: boolean
  /** The conversation that the turn continues. */
  conversation_id?: string
  /** The conversation of the reply. */
  answeredIn?: string | null
}

type Source = Pick<Driver, 'key' | 'text'>

/** `at` is an index, modulo the number of turns. */
type Command = (turns: readonly Turn[], at: number, source: Source) => Turn | ChatRequest | null

export interface ChatCommand {
  is: CommandName
  at: number
}

const fresh = ({ key, text }: Source, carrier: number, stream = false): Turn => ({
  message: text(40),
  key: key(),
  carrier: carrier % carriers.length,
  stream,
})

/** Changes one of the earlier turns; null if there is none. */
const ofTurn =
  (change: (turn: Turn, source: Source) => Turn): Command =>
  (turns, at, source) => {
    const turn = turns[at % turns.length]
    return turn ? change(turn, source) : null
  }

/** By the name of their exchanges in the scenario, which the judges use. */
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

/** Replays are most frequent, since most faults of a record are detected by them. */
const weights: Partial<Record<CommandName, number>> = { turn: 3, streamed: 2, again: 4, otherMode: 2 }

export const chatModelCommand: fc.Arbitrary<ChatCommand> = fc.record({
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

const isTurn = (request: Turn | ChatRequest): request is Turn => 'carrier' in request

export async function runChatSequence(
  t: Driver<`${CommandName}[]`>,
  steps: readonly ChatCommand[],
): Promise<void> {
  const turns: Turn[] = []
  for (const { is, at } of steps) {
    const request = commands[is](turns, at, t)
    // If there is no turn to refer to yet, a new one is sent instead.
    const [name, sent] = request === null ? (['turn', commands.turn(turns, at, t)] as const) : [is, request]
    const exchange = await t.add(name, isTurn(sent) ? requestOf(sent) : sent)
    if (isTurn(sent) && turns.every(({ key }) => key !== sent.key))
      turns.push({ ...sent, answeredIn: conversationOf(exchange) })
  }
}
