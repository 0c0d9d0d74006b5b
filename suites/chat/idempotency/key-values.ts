/** Keys of every kind: they are taken or refused, replayed, and kept apart from what is near to them. */
import { limits } from '../../../spec/index.ts'
import { scenario, type ChatRequest, type Judgement } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { noServerError, statusOf } from '../../assertions/answer.ts'
import { all, every, given, inconclusive, notApplicable, inTurn, need } from '../../scenario/expect.ts'
import { ran, replayed } from '../../assertions/once.ts'
import { replied } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { eachKey, keyOfRequest, repliesApart } from '../assertions/race.ts'
import { drawn, letterAt, nearTexts, valueKinds, valueOf } from '../../values/values.ts'

const longest = limits.idempotencyKeyMaxCharacters
const isPrintable = (key: string): boolean => /^[\x20-\x7e]+$/.test(key)
const asciiKinds = valueKinds.filter((kind) => isPrintable(valueOf(kind)))
const otherKinds = valueKinds.filter((kind) => !asciiKinds.includes(kind))

const inHeader = (message: string, key: string, stream = false): ChatRequest => ({
  message,
  stream,
  idempotency_key: null,
  headers: [['Idempotency-Key', key]],
})

function eachReplayed(turns: readonly Exchange[], again: readonly Exchange[]): Judgement {
  const taken = turns.filter((turn) => replied(turn).is === 'pass')
  const keys = new Set(taken.map(keyOfRequest))
  return eachKey([...taken, ...again.filter((one) => keys.has(keyOfRequest(one)))], replayed)
}

const valuesScenario = (inBodies: number, inHeaders: number, profile: Profile) =>
  scenario({
    title: `${inBodies + inHeaders} keys of any length and any characters are replayed, and never a server error`,
    exchanges: ['ordinary', 'plain[]', 'odd[]', 'header[]', 'again[]'],
    cost: { requests: 1 + 2 * (inBodies + inHeaders), turns: 1 + inBodies + inHeaders },
    profile,
    async run(t) {
      await t.chat('ordinary', { message: t.text(30) })
      const lengths = drawn(t, [36, 63, 64, 65, 127, 128, 191, 254, longest], inBodies)
      const half = Math.ceil(inBodies / 2)
      const kinds = [...drawn(t, asciiKinds, half), ...drawn(t, otherKinds, inBodies - half)]
      for (const [at, kind] of kinds.entries()) {
        const key = `${valueOf(kind).trim()}${t.key()}`.slice(0, longest)
        const request = { message: t.text(30), idempotency_key: key.padEnd(lengths[at] ?? 0, 'k') }
        const turn = await t.add(isPrintable(key) ? 'plain' : 'odd', request)
        await t.resendTo('again', turn)
      }
      for (const [at, kind] of drawn(t, asciiKinds, inHeaders).entries()) {
        const key = `${valueOf(kind).trim()}${t.key()}`
        const turn = await t.add('header', inHeader(t.text(30), key, at % 2 === 0))
        await t.resendTo('again', turn)
      }
    },
    judge: {
      'IDEM-KEY-MAX': ({ plain }) => every(plain, ran),
      'IDEM-KEY-ODD': ({ ordinary, odd, header }) =>
        given(replied(ordinary), () => every([...odd, ...header], noServerError)),
      'IDEM-CARRIER-BODY': ({ plain, odd, again }) => eachReplayed([...plain, ...odd], again),
      'IDEM-CARRIER-HEADER': ({ header, again }) => eachReplayed(header, again),
    },
  })

export const some = valuesScenario(3, 1, 'standard')
export const each = valuesScenario(2 * asciiKinds.length, asciiKinds.length, 'exhaustive')

const nearKinds = ['case', 'crc32', 'number'] as const

export const nearby = scenario({
  title: 'keys that differ in one character, or have equal sums or numbers, belong to separate turns',
  exchanges: ['one[]', 'other[]', 'oneAgain[]', 'list[]'],
  cost: { requests: nearKinds.length + 9, turns: nearKinds.length + 7 },
  async run(t) {
    const number = `7${String(t.pick(2 ** 31)).padStart(14, '0')}`
    const long = t.key().padEnd(longest, 'x')
    const families = [
      [...nearTexts(t.key(), '-', nearKinds), long, letterAt(long, longest - 1)],
      [number, `00${number}`],
    ]
    for (const [key = '', ...others] of families) {
      const one = await t.add('one', { message: t.text(40), idempotency_key: key })
      for (const other of others) await t.add('other', { message: t.text(40), idempotency_key: other })
      await t.resendTo('oneAgain', one)
    }
    const stem = t.key()
    for (const item of [1, 2]) await t.add('list', inHeader(t.text(40), `${stem},${item}`))
  },
  judge: {
    'IDEM-KEY-DISTINCT': ({ one, other, oneAgain, list }) =>
      all(
        apart(
          one.map((first, at) => [first, ...oneAgain.slice(at, at + 1)]),
          other,
        ),
        list.some((turn) => statusOf(turn) === 400)
          ? notApplicable('a key with a comma is refused in a header')
          : apart([list.slice(0, 1)], list.slice(1)),
      ),
  },
})

/** All keys ran, and none has a reply of another. */
function apart(own: readonly (readonly Exchange[])[], others: readonly Exchange[]): Judgement {
  return inTurn(
    need(every(own, ([first]) => (first ? ran(first) : inconclusive('nothing was sent')))),
    every(others, ran),
    () => repliesApart([...own, ...others.map((one) => [one])]),
  )
}
