/** Requests of one key and what each was told, made by hand, for tests of the rules of histories. */
import type { Heard, History, Told } from '../chat/assertions/models/history-rules.ts'

const endless: readonly Told[] = ['begun', 'lost']

/** A request of the message `m` as JSON that was told this between two moments. */
export function heard(told: Told, from: number, to: number, change: Partial<Heard> = {}): Heard {
  const message = change.message ?? 'm'
  return {
    id: 0,
    from,
    to: endless.includes(told) ? Infinity : to,
    told,
    message,
    content: message,
    carrier: 'body',
    stream: false,
    response: 'hello',
    conversation: 'c',
    ...change,
  }
}

/** Ids from 1, in their order. */
export const numbered = (history: History): History => history.map((one, at) => ({ ...one, id: at + 1 }))
