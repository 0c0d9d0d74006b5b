/** What the application reported about a turn: a complete reply, a failure, or nothing. */
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { all, fail, check, inconclusive, notApplicable, pass } from '../../scenario/expect.ts'
import { isObject } from '../../../spec/json.ts'
import { eventsOf, isTerminal } from '../../chat/assertions/streams/stream.ts'
import { type Exchange, type Json, excerpt, at, contentType, member } from '../../wire/exchange.ts'
import { ifControlSucceeded, stepResult, reportedIn, sentTo } from './step-result.ts'
import type { ClientReport } from '../../../bundle/client-report.ts'
import { inside, isArray } from '../../assertions/pointer.ts'
import { plain, requestJson } from './request.ts'

export type ReplyMembers = Readonly<Record<string, Json>>

/** A member by its name in the contract, in snake_case or camelCase. */
export function memberOf(table: ReplyMembers, name: string): Json | undefined {
  return Object.entries(table).find(([given]) => plain(given) === plain(name))?.[1]
}

export function completionsIn(context: Context, step: string): readonly ClientReport[] {
  return reportsOf(context, step).filter((line) => line.saw === 'finished' || replyIn(line) !== null)
}

function replyIn(line: ClientReport): ReplyMembers | null {
  if (line.saw === 'reply') return line.reply
  return line.saw === 'event' && memberOf(line.event, 'type') === 'done' ? line.event : null
}

export function failuresIn(context: Context, step: string): readonly ClientReport[] {
  return reportsOf(context, step).filter(
    (line) =>
      line.saw === 'error' ||
      line.saw === 'unfinished' ||
      (line.saw === 'event' && memberOf(line.event, 'type') === 'error'),
  )
}

/** Of the last reported reply that has it. */
export function reportedMember(reported: readonly ClientReport[], name: string): Json | undefined {
  const members = reported.map((line) => memberOf(replyIn(line) ?? {}, name))
  return members.findLast((value) => value !== undefined)
}

export const howToReport =
  'the application did not report how the turn ended, with `touchstone {"saw":"reply",…}` or `{"saw":"error",…}`'

/** The response is a complete reply: JSON, or a stream up to `done`. */
export function hasCompleteReply(exchange: Exchange): boolean {
  const { response } = exchange
  if (response?.status !== 200) return false
  if (contentType(exchange)?.essence === 'text/event-stream')
    return eventsOf(exchange).find(isTerminal)?.['type'] === 'done'
  return response.complete && typeof member(exchange, '/response') === 'string'
}

export function reportsNoReply(exchanges: readonly Exchange[], context: Context, step: string): Judgement {
  const turns = sentTo(exchanges, 'chat')
  if (turns.some(hasCompleteReply)) {
    const isReported = reportedMember(reportsOf(context, step), 'response') !== undefined
    const judged = isReported ? reportsReply(exchanges, context, step) : pass
    return judged.is === 'fail' ? judged : notApplicable('it sent the turn again and got a reply')
  }
  const [claim] = completionsIn(context, step)
  if (claim) return fail('a turn without a reply', excerpt(JSON.stringify(claim)), turns.at(-1))
  if (failuresIn(context, step).length > 0) return pass
  const unseen = crashed(context, step) ? '' : '; or it did not notice that no complete reply came'
  return inconclusive(`${howToReport}${unseen}`)
}

/** Judges only if the application reported a reply in the control step. */
export function whereItReports(context: Context, twin: string, judge: () => Judgement): Judgement {
  if (completionsIn(context, twin).length > 0) return judge()
  return inconclusive(
    reportsOf(context, twin).length > 0 ? 'it reported no reply in the control step' : howToReport,
  )
}

export function ifReplyReported(
  control: readonly Exchange[],
  context: Context,
  step: string,
  judge: () => Judgement,
): Judgement {
  return ifControlSucceeded(control, () => whereItReports(context, step, judge))
}

export function reportsReply(exchanges: readonly Exchange[], context: Context, step: string): Judgement {
  const turns = sentTo(exchanges, 'chat').filter(hasCompleteReply)
  const turn = turns.at(-1)
  if (!turn) return inconclusive('no turn got a complete reply')
  const said = reportedMember(reportsOf(context, step), 'response')
  const came = (one: Exchange): Json => replyMembers(one)['response'] ?? null
  // A turn that is sent again has one reply, whichever of the responses it is taken from.
  const isReply = said !== undefined && turns.some((one) => hasText(said, came(one)))
  if (said !== undefined)
    return check(isReply, excerpt(JSON.stringify(came(turn))), excerpt(JSON.stringify(said)), turn)
  const [failure] = failuresIn(context, step)
  if (failure) return fail('the reply of the service', excerpt(JSON.stringify(failure)), turn)
  if (crashed(context, step)) return fail('the reply of the service', 'a crash', turn)
  return inconclusive(completionsIn(context, step).length > 0 ? lacks('response') : howToReport)
}

/** What to print, where a reply is reported without a member. */
export const lacks = (name: string): string =>
  `the reported reply has no \`${name}\`: print it in \`touchstone {"saw":"reply","reply":{"${name}":…}}\``

/** An application may wrap a text, and normalise its characters. */
function hasText(said: Json, sent: Json): boolean {
  const wanted = plainText(sent)
  const texts = [...inside(said)].map(({ value }) => plainText(value))
  return texts.some((text) => {
    if (!wanted || !text?.includes(wanted)) return text === wanted
    // Behind its own beginning it is the reply of a second stream; up to 3 characters may be of what wraps it.
    const before = text.slice(0, text.lastIndexOf(wanted))
    const length = Math.max(0, before.length - 3)
    return !Array.from({ length }, (_, at) => before.slice(at)).some((end) => wanted.startsWith(end))
  })
}

const plainText = (value: Json): string | null => (typeof value === 'string' ? value.normalize('NFKC') : null)

export function replyMembers(turn: Exchange): ReplyMembers {
  const done = eventsOf(turn).find(({ type }) => type === 'done')
  const body = done ?? member(turn, '')
  return isObject(body) ? body : {}
}

const camelNames = {
  conversation_id: 'conversationId',
  credits_used: 'creditsUsed',
  credits_remaining: 'creditsRemaining',
  customer_message: 'customerMessage',
} as const

/** Each member of the reply stands in the report under its other name, and not under this one. */
export function inCamelCase(reported: ReplyMembers, turn: Exchange): Judgement {
  const members = replyMembers(turn)
  return all(
    ...Object.entries(camelNames).flatMap(([name, camel]) => {
      const [came, said] = [members[name], reported[camel]]
      if (came === undefined) return []
      // Members of a stored message are not shown: that it is there is all that can be said of it.
      const same = name === 'customer_message' ? said !== undefined : said === came
      const got = name in reported ? `\`${name}\`` : excerpt(JSON.stringify(said) ?? 'nothing')
      return [check(same && !(name in reported), `\`${camel}\`: ${excerpt(JSON.stringify(came))}`, got, turn)]
    }),
  )
}

export function crashed(context: Context, step: string): boolean {
  const result = stepResult(context, step)
  return result?.ended === 'exit' && result.exitCode !== 0
}

/** A number as such or written out; a text as such or within another. */
export function containsValue(value: Json, wanted: string | number): boolean {
  const text = String(wanted)
  return [...inside(value)].some(
    ({ value: one }) => one === wanted || (typeof one === 'string' && one.includes(text)),
  )
}

export function reportsOf(context: Context, step: string): readonly ClientReport[] {
  return stepResult(context, step)?.reported ?? []
}

export const nothingReported = inconclusive('the application reports nothing: see `touchstone {"saw":…}`')

export function reachesCaller(
  context: Context,
  step: string,
  wanted: readonly (string | number)[],
  exchange?: Exchange,
): Judgement {
  const reported = reportsOf(context, step)
  if (reported.length === 0) return nothingReported
  const missing = wanted.filter((one) => !reported.some((line) => containsValue(line, one)))
  const got = `without ${missing.join(' and ')}: ${excerpt(JSON.stringify(reported))}`
  return check(missing.length === 0, `reports that contain ${wanted.join(' and ')}`, got, exchange)
}

export function resultHas(context: Context, step: string, places: ReplyMembers, read?: Exchange): Judgement {
  const [line] = reportedIn(context, step, 'result')
  if (!line) return nothingReported
  const wrong = Object.entries(places).filter(([place, wanted]) => at(line.result, place) !== wanted)
  const expected = wrong.map(([place, wanted]) => `${JSON.stringify(wanted)} at ${place}`).join(' and ')
  return check(wrong.length === 0, expected, excerpt(JSON.stringify(line.result)), read)
}

const longest = (value: Json): number =>
  Math.max(0, ...[...inside(value)].map(({ value: one }) => (isArray(one) ? one.length : 0)))

export function reportedItems(context: Context, step: string): number | null {
  // The number of items in a text, such as a table, is unknown.
  const counted = reportedIn(context, step, 'result').filter(({ result }) => typeof result !== 'string')
  return counted.length === 0 ? null : Math.max(...counted.map(({ result }) => longest(result)))
}

/** In the query or the body, under any name. */
export function hasLimit(most: number): (exchange: Exchange) => boolean {
  return (exchange) => {
    const query = [...new URLSearchParams(exchange.request.path.split('?')[1] ?? '').values()]
    return query.includes(String(most)) || containsValue(requestJson(exchange), most)
  }
}
