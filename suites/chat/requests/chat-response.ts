/** The members of a reply as JSON. */
import { scenario, type Judgement } from '../../scenario/scenario.ts'
import { all, given, observed, measured } from '../../scenario/expect.ts'
import { notMarkedPaused } from '../../assertions/paused.ts'
import { replayed } from '../../assertions/once.ts'
import { carriesRateHeaders, rateHeadersOf } from '../assertions/rate.ts'
import { noPresentation } from '../assertions/presentation.ts'
import { field, fields } from '../../assertions/reply.ts'
import { accepts, asJson, promised, replied } from '../../assertions/turn.ts'
import type { Exchange } from '../../wire/exchange.ts'

export const plainTurn = scenario({
  title: 'a plain message gets a reply with every field of the contract',
  exchanges: ['turn'],
  cost: { requests: 1, turns: 1 },
  profile: 'smoke',
  async run(t) {
    await t.chat('turn', { message: t.text(40) })
  },
  judge: {
    'REQ-ROUTE': ({ turn }) => accepts(turn),
    'REQ-CONVERSATION-OPTIONAL': ({ turn }) => accepts(turn),
    'REQ-STREAM-DEFAULT': ({ turn }) => asJson(turn),
    'RES-RESPONSE-FILLED': ({ turn }) =>
      given(field(turn, 'response', 'string'), () => field(turn, 'response', 'filled string')),
    'RES-NO-CUSTOMER-MESSAGE': ({ turn }) => given(replied(turn), () => notMarkedPaused(turn)),
    'RES-NO-PRESENTATION': ({ turn }) => given(replied(turn), () => noPresentation(turn)),
    'RATE-HEADERS': ({ turn }, { dialect }) => carriesRateHeaders(turn, dialect),
  },
  observe: {
    'GAP-CREDIT-COST': ({ turn }) =>
      given(replied(turn), () =>
        measured(`\`credits_used\`: ${JSON.stringify(fields(turn)?.['credits_used'])}`),
      ),
    'GAP-RATE-HEADERS': ({ turn }) =>
      given(replied(turn), () => observed(rateHeadersOf(turn).join(', ') || 'none that looks like one')),
  },
})

export const withoutBilling = scenario({
  title: 'a key without billing_read receives its credits, in a stream and in a replay too',
  exchanges: ['turn', 'again', 'streamed', 'streamedAgain'],
  needs: { principal: { with: ['chat'], without: ['billing_read'] } },
  cost: { requests: 4, turns: 2 },
  async run(t) {
    const turn = await t.chat('turn', { message: t.text(30) })
    await t.resend('again', turn)
    const streamed = await t.chat('streamed', { message: t.text(30), stream: true })
    await t.resend('streamedAgain', streamed)
  },
  judge: {
    'RES-CREDITS-WITHOUT-BILLING': ({ turn, again, streamed, streamedAgain }) =>
      all(
        promised(turn, () => hasCredits(turn)),
        given(replied(streamed), () => hasCredits(streamed)),
        given(replayed(turn, again), () => hasCredits(again)),
        given(replayed(streamed, streamedAgain), () => hasCredits(streamedAgain)),
      ),
  },
})

function hasCredits(turn: Exchange): Judgement {
  return all(field(turn, 'credits_used', 'number'), field(turn, 'credits_remaining', 'number'))
}
