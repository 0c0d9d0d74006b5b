/** A key with an uncertain outcome. */
import {
  scenario,
  type Context,
  type ChatRequest,
  type Driver,
  type Judgement,
} from '../../scenario/scenario.ts'
import { codesOf, isReplay, refusal, status, statusOf } from '../../assertions/answer.ts'
import { every, given, notApplicable, pass, warn, inTurn, need } from '../../scenario/expect.ts'
import { ran, refusedAs } from '../../assertions/once.ts'
import { unlessStreamed } from '../assertions/refusal.ts'
import { accepts } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

/** A turn with a fixture for an uncertain outcome may return anything; otherwise it must have run. */
function beside(
  first: Exchange,
  other: Exchange,
  { byItself }: Context['notes'],
  judge: () => Judgement,
): Judgement {
  return inTurn(need(byItself === true ? pass : ran(first)), need(accepts(other)), judge)
}

async function sendTwice(t: Driver<'first' | 'again' | 'other'>, isStream = false): Promise<Exchange> {
  const byItself = t.providerOf('key.uncertain') === 'fixture'
  t.note('byItself', byItself)
  if (byItself) await t.enter('key.uncertain')
  const request = { message: byItself ? t.message : t.text(40), idempotency_key: t.key() }
  // The stream has its key in the header that is used least.
  const headers = [['X-Idempotency-Key', request.idempotency_key]] as const
  const other: ChatRequest = isStream ? { stream: true, idempotency_key: null, headers } : {}
  const first = await t.chat('first', { ...request, ...other })
  const { idempotency_key: idempotencyKey, message } = request
  if (!byItself) await t.enter('key.uncertain', { idempotencyKey, message })
  await t.resend('again', first)
  if (byItself) await t.leave('key.uncertain')
  return first
}

export const refused = scenario({
  title: 'a key with an uncertain turn is refused until it is reconciled',
  exchanges: ['first', 'again', 'other', 'more[]'],
  needs: { enters: ['key.uncertain'] },
  cost: { requests: 5, turns: 2 },
  async run(t) {
    const first = await sendTwice(t)
    // Another key, before the last refusals: it shows that only the first key is refused.
    await t.chat('other', { message: t.text(40) })
    await t.resendTo('more', first)
    await t.resendTo('more', first)
  },
  judge: {
    'IDEM-UNCERTAIN-STATUS': ({ first, again, other }, { notes }) =>
      beside(first, other, notes, () => status(again, 409)),
    'IDEM-UNCERTAIN-CODE': ({ first, again, other }, { notes }) =>
      beside(first, other, notes, () => refusal(again, 409, 'OUTCOME_UNCERTAIN')),
    'IDEM-UNCERTAIN-STAYS': ({ first, again, more, other }, { notes }) =>
      beside(first, other, notes, () => given(status(again, 409), () => every(more, staysUncertain))),
  },
})

/**
 * A fixture may become uncertain only without a stream: with one it may fail outright, or still run after its
 * response was cut off.
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
  title: 'the key of an uncertain streamed turn is refused for a stream as well',
  exchanges: ['first', 'again', 'other'],
  needs: { enters: ['key.uncertain'] },
  cost: { requests: 3, turns: 2 },
  async run(t) {
    await sendTwice(t, true)
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

/** A replay means that the outcome became known meanwhile, which is allowed; another run is not. */
function staysUncertain(again: Exchange): Judgement {
  const judgement = refusedAs(again, 409, 'OUTCOME_UNCERTAIN')
  if (judgement.is !== 'fail' || !(statusOf(again) === 200 && isReplay(again))) return judgement
  return warn(judgement.expected, 'a replay', again)
}
