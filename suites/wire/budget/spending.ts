/** What an answer cost, as far as the wire shows it. */
import { identifiersIn, type Exchange, type Json, deniesReplay, header, json, member } from '../exchange.ts'
import { readSseBody } from '../sse.ts'

/** `ran`: a turn ran for it. `may have run`: we cannot know. `none`: no turn ran for it. */
export type TurnTrace = 'ran' | 'may have run' | 'none'

/** What an answer shows of the turn it asked for. A replay is not a turn. */
export function turnTrace(exchange: Exchange): TurnTrace {
  const { response, failure } = exchange
  if (failure?.kind === 'budget' || failure?.kind === 'refused') return 'none'
  if (!response) return 'may have run'
  if (response.status === 200 && !isReplay(exchange)) return 'ran'
  // What it met may be its own first sending.
  return response.status >= 500 || exchange.resent ? 'may have run' : 'none'
}

function isReplay(exchange: Exchange): boolean {
  return header(exchange, identifiersIn(exchange).replayHeader).some((value) => !deniesReplay(value))
}

/** Credits a fresh turn reports, in its JSON reply or in the `done` of its stream; null where it does not say. */
export function creditsUsed(exchange: Exchange): number | null {
  if (turnTrace(exchange) !== 'ran') return null
  const used = json(exchange).ok
    ? member(exchange, '/credits_used')
    : memberOf(doneOf(exchange), 'credits_used')
  return typeof used === 'number' && Number.isFinite(used) ? used : null
}

function doneOf(exchange: Exchange): Json | undefined {
  return readSseBody(exchange).events.find(({ json }) => memberOf(json, 'type') === 'done')?.json
}

/** Milliseconds a 429 asks us to stay away, from its body or its `retry-after`; at most a minute. */
export function backoffMs(exchange: Exchange): number {
  if (exchange.response?.status !== 429) return 0
  const asked = member(exchange, '/retry_after_seconds') ?? header(exchange, 'retry-after')[0]
  const seconds = Number(asked)
  return Number.isFinite(seconds) ? Math.min(60_000, Math.max(0, seconds * 1000)) : 0
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [name: string]: Json })[name]
    : undefined
}
