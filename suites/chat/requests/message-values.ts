/** Messages of every kind: they are taken, replayed, and kept apart from what is near to them. */
import { limits } from '../../../spec/index.ts'
import { scenario } from '../../scenario/scenario.ts'
import type { Profile } from '../../config/target.ts'
import { noServerError, refused } from '../../assertions/answer.ts'
import { all, every, given, softened } from '../../scenario/expect.ts'
import { conflict, replayed } from '../../assertions/once.ts'
import { accepts, asked, recorded, replied } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { tokensJoin } from '../assertions/streams/stream-events.ts'
import {
  drawn,
  inGroups,
  letterAt,
  nearTexts,
  oddKinds,
  timesOver,
  inOneText,
  plainKinds,
  valueOf,
  type ValueKind,
} from '../../values/values.ts'

const { messageMaxCharacters: longest } = limits
const lengths = [127, 255, 256, 1_000, 1_024, 4_095, 4_096, 8_191, 8_192] as const

/** Either form is fine for the client: `stream` alone selects one. */
const headers = [['Accept', 'application/json, text/event-stream']] as const

/** Words of programs, which are messages like any other. */
const words = ['null', '0', '{}'] as const

/** Some services refuse one of these; the others are sent in one text, and apart where it is refused. */
const aloneKinds = ['nul', 'controls', 'loneSurrogate'] as const

/** `size` kinds in one message; those of one that is refused are sent apart, to find which it is. */
const valuesScenario = (size: number, odd: readonly (readonly ValueKind[])[], profile: Profile) => {
  const groups = Math.ceil(plainKinds.length / size)
  const kindsOfOdd = odd.flat().length
  return scenario({
    title: 'a message of any characters is taken, in a stream as well, and its reply replayed',
    exchanges: ['plain', 'letter', 'turns[]', 'apart[]', 'odd[]', 'long[]', 'wide', 'astral', 'again[]'],
    cost: {
      requests: 6 + words.length + 2 * groups + 2 * kindsOfOdd + 2 * size,
      turns: 6 + words.length + groups + kindsOfOdd + size,
    },
    profile,
    async run(t) {
      await t.chat('plain', { message: t.text(30) })
      for (const [at, kinds] of inGroups(t, size).entries()) {
        const stream = at % 2 === 1
        const turn = await t.add('turns', { message: `${inOneText(kinds)} ${t.text(12)}`, stream, headers })
        await t.resendTo('again', turn)
        if (replied(turn).is !== 'pass')
          for (const kind of kinds) await t.add('apart', { message: valueOf(kind), stream })
      }
      for (const [at, length] of [longest, ...drawn(t, lengths, 1)].entries())
        await t.add('long', { message: timesOver('latin', 2 * longest).slice(0, length), stream: at > 0 })
      await t.chat('letter', { message: 'я' })
      await t.chat('wide', { message: 'я"'.repeat(longest / 2) })
      await t.chat('astral', { message: '🙂'.repeat(longest) })
      for (const message of words) await t.add('apart', { message })
      for (const kinds of odd) {
        const turn = await t.add('odd', { message: `${t.text(12)} ${inOneText(kinds)}` })
        if (replied(turn).is === 'pass') await t.resendTo('again', turn)
        else if (kinds.length > 1)
          for (const kind of kinds) await t.add('odd', { message: `${t.text(12)} ${valueOf(kind)}` })
      }
    },
    judge: {
      'REQ-MESSAGE-UNICODE': ({ plain, turns, apart, odd: others }) =>
        given(replied(plain), () =>
          all(
            every([...turns, ...apart], accepts),
            every(others.filter(isText), (one) => softened(accepts(one))),
          ),
        ),
      // By every way of counting, a letter of two bytes is one character, and so is a character that JSON escapes.
      'REQ-MESSAGE-MAX': ({ letter, wide }) => given(replied(letter), () => accepts(wide)),
      'REQ-ROUTE': ({ plain, odd: others, long }) =>
        given(replied(plain), () => all(every(others, noServerError), every(long, accepts))),
      'SSE-TOKENS-JOIN': ({ turns }) =>
        every(
          turns.filter((turn) => asked(turn)?.['stream'] === true),
          tokensJoin,
        ),
    },
    observe: {
      'GAP-CHARACTER-UNIT': ({ plain, astral }) =>
        recorded(plain, ['10,000 code points of two UTF-16 units each', astral]),
    },
  })
}

/** Half of a character is no text. */
const isText = (turn: Exchange): boolean => String(asked(turn)?.['message']).isWellFormed()

const apartEach = (kinds: readonly ValueKind[]) => kinds.map((kind) => [kind])
const together = oddKinds.filter((kind) => !aloneKinds.some((one) => one === kind))

export const some = valuesScenario(12, [...apartEach(aloneKinds), together], 'standard')
export const each = valuesScenario(1, apartEach(oddKinds), 'exhaustive')

const scripts = ['chinese', 'emoji'] as const
const nearKinds = ['digit', 'case', 'order', 'words', 'javaHash', 'crc32'] as const

export const nearby = scenario({
  title: 'messages that differ in one place, in form or in blanks, or have equal sums, are different',
  exchanges: ['first', 'far', 'others[]', 'near[]', 'again'],
  cost: { requests: 8 + nearKinds.length + scripts.length, turns: 1 },
  async run(t) {
    const idempotency_key = t.key()
    const [near, ...others] = nearTexts(t.text(24), ' ', nearKinds)
    const texts = scripts.map(valueOf)
    const end = ` Café crème. ${texts.join(' ')} ${t.text(8_600)}`
    const message = near + end
    const first = await t.chat('first', { message, idempotency_key })
    await t.chat('far', { message: t.text(52), idempotency_key })
    const different = [
      ...others.map((other) => other + end),
      ...texts.map((text) => message.replace(text, Array.from(text).toReversed().join(''))),
      // What a program compares may end before the middle, or leave it out.
      ...[message.length >> 1, message.length - 1].map((place) => letterAt(message, place)),
    ]
    for (const other of different) await t.add('others', { message: other, idempotency_key })
    for (const other of [`${message} `, message.toLowerCase(), message.normalize('NFD')])
      await t.add('near', { message: other, idempotency_key })
    await t.resend('again', first)
  },
  judge: {
    'IDEM-CONFLICT-NEAR': ({ first, far, near: forms, again }) =>
      given(all(refused(far), replayed(first, again)), () => every(forms, refused)),
    // Compared with a completely different message, so that a wrong form of refusal is not judged here.
    'IDEM-CONFLICT-LENGTH': ({ first, far, others, again }) =>
      given(all(conflict(first, [far]), replayed(first, again)), () => conflict(first, others)),
  },
})
