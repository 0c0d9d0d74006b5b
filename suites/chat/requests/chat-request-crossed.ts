/** Refusals of a request for a stream, and with an interaction. */
import { limits } from '../../../spec/index.ts'
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { code, status, statusOf } from '../../assertions/answer.ts'
import { all, every, given, inconclusive, pass } from '../../scenario/expect.ts'
import { refusedAsJson, refusedInStream } from '../assertions/refusal.ts'
import { used } from '../../assertions/reply.ts'
import { accepts, refusedBeside, replied, toContinue } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { defects, defectsOf, keyInHeader, refusedEach, spoiled, type BodyDefect } from './body-defects.ts'
import { flowOf, pressing } from '../turns/workflow-steps.ts'

const { messageMaxCharacters, idempotencyKeyMaxCharacters } = limits

export const streamed = scenario({
  title: 'a request for a stream with any single defect is refused, by a status and JSON',
  exchanges: ['first', 'accepted', 'longest', 'bad[]', 'keyless', 'longKey'],
  cost: { requests: 5 + defects.length, turns: 3 },
  async run(t) {
    const message = t.text(20 + t.pick(100))
    const id = toContinue(t, await t.chat('first', { message }))
    const base = { message, conversation_id: id, stream: true }
    await t.chat('accepted', keyInHeader(JSON.stringify(base), t.key()))
    const longest = { ...base, message: t.text(messageMaxCharacters) }
    await t.chat('longest', keyInHeader(JSON.stringify(longest), t.key()))
    for (const raw of spoiled(base, t.pick(2 ** 31), 1)) await t.add('bad', keyInHeader(raw, t.key()))
    await t.chat('keyless', { ...base, idempotency_key: null })
    await t.chat('longKey', {
      ...base,
      idempotency_key: t.key().padEnd(idempotencyKeyMaxCharacters + 1, 'k'),
    })
  },
  judge: {
    ...refusedEach(defects, refusedInStream),
    'SSE-REFUSAL-JSON': ({ accepted, bad, keyless }) =>
      given(replied(accepted), () => every([...bad, keyless], refusedAsJson)),
    'REQ-MESSAGE-MAX': ({ accepted, longest }) => given(replied(accepted), () => accepts(longest)),
    'IDEM-KEY-REQUIRED': ({ accepted, keyless }) => refusedInStream(accepted, keyless, 400),
    'IDEM-KEY-REQUIRED-CODE': ({ accepted, keyless }) =>
      given(refusedInStream(accepted, keyless, 400), () => code(keyless, 'IDEMPOTENCY_KEY_REQUIRED')),
    'IDEM-KEY-OVER': ({ accepted, longKey }) => refusedInStream(accepted, longKey, 400),
  },
})

const besideInteraction = defectsOf('REQ-MESSAGE-REQUIRED', 'REQ-MESSAGE-EMPTY', 'REQ-MESSAGE-OVER').map(
  (defect): BodyDefect =>
    defect.breaks === 'REQ-MESSAGE-REQUIRED' ? { ...defect, breaks: 'REQ-MESSAGE-WITH-INTERACTION' } : defect,
)

/** A key is required for billable turns; pressing a button may be free. */
const billable = (pressed: Exchange): Judgement =>
  (used(pressed) ?? 0) > 0 ? pass : inconclusive('pressing the button used no credits')

export const pressed = scenario({
  title: 'a request with an interaction with any single defect is refused, and the button stays current',
  exchanges: ['opening', 'bad[]', 'keyless', 'longKey', 'accepted'],
  needs: { states: ['workflow.current'] },
  cost: { requests: 6 + 2 * besideInteraction.length, turns: 4 + besideInteraction.length },
  async run(t) {
    const [opening, seed] = [{ message: t.message }, t.pick(2 ** 31)]
    const from = async () => flowOf(t, await t.chat('opening', opening))
    let flow = await from()
    const base = () => ({
      message: 'Show me more.',
      conversation_id: flow.conversation_id,
      interaction: flow.button,
    })
    const refused = async (answer: Promise<Exchange>): Promise<void> => {
      // A body that was accepted by mistake has pressed the button.
      if (replied(await answer).is === 'pass') flow = await from()
    }
    for (const at of besideInteraction.keys()) {
      const raw = spoiled(base(), seed, 1, besideInteraction)[at] ?? ''
      await refused(t.add('bad', keyInHeader(raw, t.key())))
    }
    await refused(t.chat('keyless', { ...base(), idempotency_key: null }))
    const key = t.key().padEnd(idempotencyKeyMaxCharacters + 1, 'k')
    await refused(t.chat('longKey', { ...base(), idempotency_key: key }))
    await t.chat('accepted', { ...pressing(t, flow), message: t.text(messageMaxCharacters) })
  },
  judge: {
    ...refusedEach(besideInteraction, refusedBeside),
    'IDEM-KEY-REQUIRED': ({ keyless, accepted }) =>
      given(billable(accepted), () => refusedBeside(accepted, keyless, 400)),
    'IDEM-KEY-REQUIRED-CODE': ({ keyless, accepted }) =>
      given(all(billable(accepted), refusedBeside(accepted, keyless, 400)), () =>
        code(keyless, 'IDEMPOTENCY_KEY_REQUIRED'),
      ),
    'IDEM-KEY-OVER': ({ longKey, accepted }) => refusedBeside(accepted, longKey, 400),
    // Requests refused for what they lack pressed nothing: the button is still current.
    'FLOW-PRESS-STATUS': ({ bad, keyless, longKey, accepted }) =>
      given(
        every([...bad, keyless, longKey], (one) => status(one, 400)),
        () => (statusOf(accepted) === 409 ? accepts(accepted) : given(replied(accepted), () => pass)),
      ),
    'REQ-MESSAGE-MAX': ({ opening, accepted }) =>
      given(replied(opening), () =>
        statusOf(accepted) === 409 ? inconclusive('the button was not current any more') : accepts(accepted),
      ),
  },
})
