/** Judgements on a conversation of the older chat variant. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { object, status } from '../../assertions/answer.ts'
import { isObject } from '../../../spec/json.ts'
import { excerpt } from '../../assertions/excerpt.ts'
import { all, fail, check, every, given, inconclusive, pass } from '../../scenario/expect.ts'
import { has, isName, isTextOrNumber, olderStream } from './older.ts'
import { asked, replied } from '../../assertions/turn.ts'

const isText = (value: unknown): value is string => typeof value === 'string'

/** The conversation of this reply. */
export function olderConversation(reply: Exchange, read: Exchange, agent: string): Judgement {
  return given(replied(reply), () =>
    given(status(read, 200), () => {
      const id = object(reply)?.['conversation_id']
      const members = {
        id: (value: unknown) => value === id,
        agent_id: (value: unknown) => value === agent,
        created_at: isTextOrNumber,
        messages: Array.isArray,
      }
      return has(object(read), members, read)
    }),
  )
}

/** A conversation is created once, whatever is sent in between. */
export function createdOnce(before: Exchange, after: Exchange): Judgement {
  return given(all(status(before, 200), status(after, 200)), () => {
    const [was, is] = [before, after].map((read) => object(read)?.['created_at'])
    const same = is === was || isOneMoment(was, is)
    if (!same && [was, is].some((one) => Number.isNaN(momentOf(one))))
      return inconclusive('`created_at` is written in a way that is not known')
    const shown = (value: unknown): string => `\`created_at\`: ${JSON.stringify(value) ?? 'none'}`
    return check(same, `${shown(was)} again`, shown(is), after)
  })
}

/** Strings may write one moment in several ways, and numbers may be seconds or milliseconds. */
const momentOf = (value: unknown): number =>
  isText(value) ? Date.parse(value) : typeof value === 'number' ? value * (value < 1e11 ? 1000 : 1) : NaN

/** To the second if one of them is less precise: it may be truncated or rounded. */
function isOneMoment(was: unknown, is: unknown): boolean {
  const moments = [momentOf(was), momentOf(is)] as const
  const isCoarse = moments.some((moment) => moment % 1000 === 0)
  return Math.abs(moments[0] - moments[1]) < (isCoarse ? 1000 : 1)
}

interface Said {
  role: string
  content: string
}

function saidIn(read: Exchange): readonly Said[] {
  const { messages: said } = object(read) ?? {}
  return (Array.isArray(said) ? said : []).filter(
    (one): one is Said => isObject(one) && isText(one['role']) && isText(one['content']),
  )
}

export function olderMessages(reply: Exchange, read: Exchange): Judgement {
  return given(all(replied(reply), status(read, 200)), () => {
    const { messages: said } = object(read) ?? {}
    if (!Array.isArray(said) || said.length === 0) return inconclusive('the conversation has no messages')
    const members = { role: isName, content: isText, timestamp: isTextOrNumber }
    return every(said, (message: unknown) => has(message, members, read))
  })
}

const messageOf = (turn: Exchange): unknown => asked(turn)?.['message']
const responseOf = (turn: Exchange): unknown => object(turn)?.['response']

const unlike: Judgement = {
  is: 'pass',
  note: 'what it lists is not to the letter what was sent, so that nobody can say what is missing',
}

/** A long message is listed completely, given that a short one is listed as sent. */
export function listedWhole(short: Exchange, long: Exchange, read: Exchange): Judgement {
  const contents: readonly unknown[] = saidIn(read).map(({ content }) => content)
  const message = messageOf(long)
  if (replied(long).is !== 'pass' || contents.includes(message)) return pass
  if (!contents.includes(messageOf(short)) || !isText(message)) return unlike
  const own = saidIn(read).filter(({ role }) => role === roleOf(messageOf(short), read))
  if (isInParts(own, message)) return pass
  const part = own.find(({ content }) => isPart(content, message))?.content
  return check(
    part === undefined,
    `all ${message.length} characters of a message`,
    `the first ${part?.length}: ${excerpt(part ?? '')}`,
    read,
  )
}

const roleOf = (text: unknown, read: Exchange): string | undefined =>
  saidIn(read).find(({ content }) => content === text)?.role

/** The listed parts, in order, make up the message; text between two of them may be missing. */
function isInParts(said: readonly Said[], message: string): boolean {
  const bare = (text: string): string => text.replaceAll(/\s/g, '')
  const contents = said.map(({ content }) => content)
  return [contents, contents.toReversed()].some((all) => bare(all.join('')).includes(bare(message)))
}

/** With or without an ellipsis. */
function isPart(content: string, whole: string): boolean {
  const text = content.replace(/\s*(…|\.{3})$/, '')
  return text.length >= 100 && text.length < whole.length && whole.startsWith(text)
}

/**
 * A streamed reply is listed beside those that were not. Its text is not compared, and the names of roles are taken
 * from the other turns: if those are listed with all messages, the list has as many replies.
 */
export function listsStreamed(plain: readonly Exchange[], stream: Exchange, read: Exchange): Judgement {
  const said = saidIn(read)
  const turns = [...plain, stream]
  const [first] = plain
  const [customer, agent] = [
    first && roleOf(messageOf(first), read),
    first && roleOf(responseOf(first), read),
  ]
  const isListed =
    turns.every((turn) => roleOf(messageOf(turn), read) === customer) &&
    plain.every((turn) => roleOf(responseOf(turn), read) === agent)
  if (customer === undefined || agent === undefined || customer === agent || !isListed) return unlike
  if (olderStream(stream).is !== 'pass') return pass
  const replies = said.filter(({ role }) => role === agent).length
  if (replies >= turns.length) return pass
  return fail(`a reply to each of ${turns.length} messages`, `${replies} of the role \`${agent}\``, read)
}
