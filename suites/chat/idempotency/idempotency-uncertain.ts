/** A key of which the outcome of the turn is not known. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { ChatRequest, Driver } from '../../scenario/driver.ts'
import { scenario, type Context } from '../../scenario/scenario.ts'
import { codesOf, flatError, isReplay, refusal, status, statusOf } from '../../assertions/answer.ts'
import { every, given, notApplicable, pass, weak } from '../../scenario/expect.ts'
import { ran, refusedAs } from '../../assertions/once.ts'
import { unlessStreamed } from '../assertions/refusal.ts'
import { accepts } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

/** A turn that ends uncertain by itself may be answered in any way: that is what makes it so. */
function beside(
  first: Exchange,
  other: Exchange,
  { byItself }: Context['notes'],
  judge: () => Judgement,
): Judgement {
  return given(byItself === true ? pass : ran(first), () => given(accepts(other), judge))
}

/** A turn that is or becomes uncertain, and the same request again. */
async function askTwice(
  t: Driver<'first' | 'again' | 'other'>,
  form: Pick<ChatRequest, 'stream'>,
): Promise<Exchange> {
  const byItself = t.providerOf('key.uncertain') === 'fixture'
  t.note('byItself', byItself)
  if (byItself) await t.enter('key.uncertain')
  const request = { message: byItself ? t.message : t.text(40), idempotency_key: t.key() }
  const first = await t.chat('first', { ...request, ...form })
  const { idempotency_key: idempotencyKey, message } = request
  if (!byItself) await t.enter('key.uncertain', { idempotencyKey, message })
  await t.resend('again', first)
  if (byItself) await t.leave('key.uncertain')
  return first
}

export const refused = scenario({
  title: 'a key with an uncertain turn is refused until somebody reconciles it',
  exchanges: ['first', 'again', 'other', 'more[]'],
  cost: { requests: 5, turns: 2 },
  async run(t) {
    const first = await askTwice(t, {})
    // Another key, before the last of the refusals: it shows that nothing but the one key is refused.
    await t.chat('other', { message: t.text(40) })
    await t.resendTo('more', first)
    await t.resendTo('more', first)
  },
  judge: {
    'IDEM-UNCERTAIN-STATUS': ({ first, again, other }, { notes }) =>
      beside(first, other, notes, () => status(again, 409)),
    'IDEM-UNCERTAIN-CODE': ({ first, again, other }, { notes }) =>
      beside(first, other, notes, () => refusal(again, 409, 'OUTCOME_UNCERTAIN')),
    'ERR-FLAT': ({ first, again, other }, { notes }) =>
      beside(first, other, notes, () => given(status(again, 409), () => flatError(again))),
    'IDEM-UNCERTAIN-STAYS': ({ first, again, more, other }, { notes }) =>
      beside(first, other, notes, () => given(status(again, 409), () => every(more, staysUncertain))),
  },
})

/**
 * What ends uncertain by itself may do so in the other form only: where it is streamed it may fail outright, or still run
 * when its answer has broken off.
 */
function inStream(
  { first, again, other }: Record<'first' | 'again' | 'other', Exchange>,
  { notes }: Pick<Context, 'notes'>,
  judge: () => Judgement,
): Judgement {
  const isOther = statusOf(again) !== 409 || codesOf(again).includes('REQUEST_IN_PROGRESS')
  if (notes['byItself'] === true && isOther)
    return notApplicable('no streamed turn becomes uncertain by itself here')
  return beside(first, other, notes, judge)
}

export const stream = scenario({
  title: 'the key of a streamed turn that is uncertain is refused to a stream as well',
  exchanges: ['first', 'again', 'other'],
  cost: { requests: 3, turns: 2 },
  async run(t) {
    await askTwice(t, { stream: true })
    await t.chat('other', { message: t.text(40), stream: true })
  },
  judge: {
    'IDEM-UNCERTAIN-STATUS': ({ first, again, other }, context) =>
      inStream({ first, again, other }, context, () => unlessStreamed(again, () => status(again, 409))),
    'IDEM-UNCERTAIN-CODE': ({ first, again, other }, context) =>
      inStream({ first, again, other }, context, () =>
        unlessStreamed(again, () => refusal(again, 409, 'OUTCOME_UNCERTAIN')),
      ),
  },
})

/** A replay tells that the outcome became known meanwhile, which nothing rules out; another run is. */
function staysUncertain(again: Exchange): Judgement {
  const judgement = refusedAs(again, 409, 'OUTCOME_UNCERTAIN')
  if (judgement.is !== 'broken' || !(statusOf(again) === 200 && isReplay(again))) return judgement
  return weak(judgement.expected, 'a replay', again)
}
