/** What the application makes of a turn, as far as it tells: a finished reply, a failure, or nothing. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Context } from '../../scenario/scenario.ts'
import { excerpt } from '../../assertions/excerpt.ts'
import { broken, check, inconclusive, notApplicable, pass } from '../../scenario/expect.ts'
import { isObject } from '../../../spec/json.ts'
import { eventsOf, isTerminal } from '../../chat/assertions/streams/stream.ts'
import { contentType, member } from '../../wire/body.ts'
import type { Exchange } from '../../wire/exchange.ts'
import type { Json } from '../../wire/json.ts'
import { stepResult, sentTo, reportsAnything } from './step-result.ts'
import type { ClientReport } from '../../../reports/bundle/client-report.ts'

export type ReplyMembers = Readonly<Record<string, Json>>

const plain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase()

/** A member by its name in the contract, in whatever case the language of the client spells names. */
export function memberOf(table: ReplyMembers, name: string): Json | undefined {
  return Object.entries(table).find(([given]) => plain(given) === plain(name))?.[1]
}

/** Everything that says that a reply is whole: the reply itself, its `done`, or that the work is finished. */
export function completionsIn(context: Context, act: string): readonly ClientReport[] {
  return (stepResult(context, act)?.reported ?? []).filter(
    (line) => line.saw === 'reply' || line.saw === 'finished' || isDone(line),
  )
}

const isDone = (line: ClientReport): boolean =>
  line.saw === 'event' && memberOf(line.event, 'type') === 'done'

/** Everything that says that none is. */
export function failuresIn(context: Context, act: string): readonly ClientReport[] {
  return (stepResult(context, act)?.reported ?? []).filter(
    (line) =>
      line.saw === 'error' ||
      line.saw === 'unfinished' ||
      (line.saw === 'event' && memberOf(line.event, 'type') === 'error'),
  )
}

/** The last text that was told of a whole reply; undefined where none was. */
export function reportedText(context: Context, act: string): Json | undefined {
  return completionsIn(context, act)
    .flatMap((line) => (line.saw === 'reply' ? [line.reply] : line.saw === 'event' ? [line.event] : []))
    .map((told) => memberOf(told, 'response'))
    .findLast((text) => text !== undefined)
}

/** How to tell what is not told. */
export const howToReport =
  'the application does not tell how the turn ended: `touchstone {"saw":"reply",…}` or `{"saw":"error",…}` would'

/** A turn that came to its whole reply: as JSON, or as a stream up to its `done`. */
export function hasCompleteReply(exchange: Exchange): boolean {
  const { response } = exchange
  if (response?.status !== 200) return false
  if (contentType(exchange)?.essence === 'text/event-stream')
    return eventsOf(exchange).find(isTerminal)?.['type'] === 'done'
  return response.complete && typeof member(exchange, '/response') === 'string'
}

/** The turn came to no reply, and the application does not say that it did. */
export function reportsNoReply(exchanges: readonly Exchange[], context: Context, act: string): Judgement {
  const turns = sentTo(exchanges, 'chat')
  if (turns.some(hasCompleteReply))
    return notApplicable('it sent the turn again, and was answered in the end')
  const [claim] = completionsIn(context, act)
  if (claim) return broken('a turn without a reply', excerpt(JSON.stringify(claim)), turns.at(-1))
  return failuresIn(context, act).length > 0 ? pass : inconclusive(howToReport)
}

/** Where nothing is in its way, it tells of a reply: only then does it mean something that it tells of none. */
export function whereItReports(context: Context, twin: string, judge: () => Judgement): Judgement {
  if (completionsIn(context, twin).length > 0) return judge()
  return inconclusive(
    reportsAnything(context, twin) ? 'where nothing was in its way, it told of no reply' : howToReport,
  )
}

/** The reply that was told is the one that came. */
export function reportsReply(exchanges: readonly Exchange[], context: Context, act: string): Judgement {
  const turn = sentTo(exchanges, 'chat').findLast(hasCompleteReply)
  if (!turn) return inconclusive('no turn was answered with a whole reply')
  const said = reportedText(context, act)
  const came = replyMembers(turn)['response'] ?? null
  if (said !== undefined)
    return check(said === came, excerpt(JSON.stringify(came)), excerpt(JSON.stringify(said)), turn)
  const [failure] = failuresIn(context, act)
  if (failure) return broken('the reply that came', excerpt(JSON.stringify(failure)), turn)
  if (crashed(context, act)) return broken('the reply that came', 'it broke down', turn)
  const untold =
    completionsIn(context, act).length > 0 ? 'the reply that it tells of has no `response`' : howToReport
  return inconclusive(untold)
}

/** The final fields of a whole reply, as they came. */
export function replyMembers(turn: Exchange): ReplyMembers {
  const done = eventsOf(turn).find(({ type }) => type === 'done')
  const body = done ?? member(turn, '')
  return isObject(body) ? body : {}
}

/** It ended by itself, and not well. */
export function crashed(context: Context, act: string): boolean {
  const performance = stepResult(context, act)
  return performance?.ended === 'exit' && performance.exitCode !== 0
}
