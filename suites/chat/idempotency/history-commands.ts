/** Courses of requests with one or two keys: some one after another, the others at once, and what settles each key. */
import * as fc from 'fast-check'
import { courses } from '../../models/explore.ts'
import type { ChatRequest, Driver } from '../../scenario/driver.ts'
import { stillRunning } from '../assertions/abort.ts'
import { byKey, winnerOf } from '../assertions/race.ts'
import { asked } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

/** How a request differs from the plain one of its key. */
const kinds = {
  same: ({ message, key }) => ({ message, idempotency_key: key }),
  'in the header': ({ message, key }) => carried({ message }, 'Idempotency-Key', key),
  'in the other header': ({ message, key }) => carried({ message }, 'X-Idempotency-Key', key),
  streamed: ({ message, key }) => ({ message, idempotency_key: key, stream: true }),
  'other message': ({ rival, key }) => ({ message: rival, idempotency_key: key }),
  'goes away': ({ message, key }) => ({
    message,
    idempotency_key: key,
    stream: true,
    patience: { abortAfterBytes: 1 },
  }),
} as const satisfies Readonly<Record<string, (slot: Slot) => ChatRequest>>
export type Kind = keyof typeof kinds

interface Slot {
  key: string
  message: string
  rival: string
}

export interface Step {
  is: Kind
  /** Which of the keys. */
  at: number
  when: 'at once' | 'before'
}

function carried(request: ChatRequest, header: string, key: string): ChatRequest {
  return { ...request, idempotency_key: null, headers: [[header, key]] }
}

const keys = 2

const often = <T>(times: number, value: T): readonly T[] => Array.from({ length: times }, () => value)

/** Most requests of a course go out at once with one key and differ in nothing: only those meet one another. */
const step: fc.Arbitrary<Step> = fc.record({
  is: fc.constantFrom<Kind>(
    ...often(5, 'same' as const),
    ...often(2, 'streamed' as const),
    'in the header',
    'in the other header',
    'other message',
    'goes away',
  ),
  at: fc.constantFrom(...often(4, 0), 1),
  when: fc.constantFrom(...often(11, 'at once' as const), 'before'),
})

/** Nothing but the same request, with each of so many keys in turn. */
export function identical(count: number, ofKeys: number): readonly Step[] {
  return Array.from({ length: count }, (_, n) => ({ is: 'same', at: n % ofKeys, when: 'at once' }))
}

/** What has to be seen whatever chance says: two modes at once, two carriers, two messages, two keys, a client that goes away. */
export function firstOf(count: number): readonly (readonly Step[])[] {
  const turns = (...kind: readonly Kind[]): readonly Step[] =>
    Array.from({ length: count }, (_, n) => ({
      is: kind[n % kind.length] ?? 'same',
      at: 0,
      when: 'at once',
    }))
  return [
    turns('same', 'streamed'),
    turns('streamed', 'same'),
    turns('same', 'in the header'),
    turns('same', 'other message'),
    turns('streamed'),
    identical(count, keys),
    [{ is: 'goes away', at: 0, when: 'at once' }, ...turns('streamed').slice(1)],
  ]
}

/** A turn whose client went away may still run; so often, and at ever longer intervals, its key is asked about. */
const gaps = [0, 40, 120]

/** What settles the keys, beside the steps. */
export const settling = keys * (gaps.length + 1)

export function stepsUpTo(longest: number): fc.Arbitrary<readonly Step[]> {
  return courses(step, { shortest: 2, longest })
}

export type Names = 'before[]' | 'race[]' | 'settled[]'
type Teller = Pick<Driver<Names>, 'add' | 'together' | 'resendTo' | 'pause' | 'text' | 'key'>

function freshSlots(t: Pick<Driver, 'key' | 'text'>): readonly Slot[] {
  return Array.from({ length: keys }, () => ({ key: t.key(), message: t.text(40), rival: t.text(52) }))
}

/** With fresh keys, and each time in conversations of its own. */
export async function walk(t: Teller, steps: readonly Step[]): Promise<void> {
  const slots = freshSlots(t)
  const requests = (when: Step['when']): readonly ChatRequest[] =>
    steps
      .filter((one) => one.when === when)
      .flatMap(({ is, at }) => {
        const slot = slots[at % keys]
        return slot ? [kinds[is](slot)] : []
      })
  const before: Exchange[] = []
  for (const request of requests('before')) before.push(await t.add('before', request))
  const race = await t.together('race', requests('at once'))
  for (const same of byKey([...before, ...race])) await settle(t, same)
}

/**
 * Sends the request for which the turn ran once more, or else the first, and goes on while the turn may still run;
 * then one with another message, if there was one.
 */
async function settle(t: Teller, same: readonly Exchange[]): Promise<void> {
  const asks = winnerOf(same) ?? same[0]
  if (!asks) return
  const unknown = same.some(({ failure }) => failure !== null)
  for (const gap of unknown ? gaps : gaps.slice(0, 1)) {
    if (gap > 0) await t.pause(gap)
    if (!stillRunning(await t.resendTo('settled', asks))) break
  }
  const rival = same.find((one) => asked(one)?.['message'] !== asked(asks)?.['message'])
  if (rival) await t.resendTo('settled', rival)
}

/** Identical requests at once between turns of their own: nothing but the race can be charged wrongly. */
export async function walkMetered(
  t: Pick<Driver<'race[]' | 'meter[]'>, 'add' | 'together' | 'text' | 'key'>,
  steps: readonly Step[],
): Promise<void> {
  const slots = freshSlots(t)
  const turn = (): Promise<Exchange> => t.add('meter', { message: t.text(40) })
  await turn()
  await turn()
  await t.together(
    'race',
    steps.flatMap(({ at }) => slots[at % keys] ?? []).map((slot) => kinds.same(slot)),
  )
  await turn()
}
