/** Retries after failures of one webhook, and where nothing listens. */
import type { InboundAnswer } from '../../inbound/place.ts'
import { notExercised } from '../../scenario/ending.ts'
import { scenario, type Needs } from '../../scenario/scenario.ts'
import {
  bodiesSeen,
  cameAtOnce,
  cameOnceReachable,
  keepsPayload,
  nextAfter,
  sameIds,
  scaleIn,
  waitsBetween,
  waitsSeen,
} from '../assertions/management/attempts.ts'
import { noneArrived, attemptsIn } from '../assertions/deliveries.ts'
import { customHeaders, rawOnes } from '../assertions/delivery.ts'
import { all, given, inconclusive, notApplicable, pass } from '../../scenario/expect.ts'
import { requestAccepted, refusedContent } from '../assertions/management/webhook-record.ts'
import { retriesSigned } from '../assertions/signature.ts'
import { emitAndTime, webhookBody } from '../webhook-requests.ts'

const needs: Needs = { session: true, receiver: true, event: 'any' }
const fails: InboundAnswer = { status: 500 }
const succeeds: InboundAnswer = { status: 200 }

/** Real time within which an immediate retry arrives. */
const followsMs = 150

export const recovered = scenario({
  title: 'an event is delivered at once, and if that fails twice, three times, complete each time',
  exchanges: ['hook', 'arrived[]'],
  needs,
  cost: { requests: 3, turns: 1 },
  profile: 'smoke',
  async run(t) {
    const place = t.endpoint('arrived', fails, fails, succeeds)
    await t.webhook('hook', place, { custom_headers: customHeaders })
    t.note('scale', t.scale)
    await emitAndTime(t, place)
    for (const attempts of [1, 2, 3]) {
      if (!(await place.arrived(attempts))) return
      // Immediate retries arrive now, before a controllable clock is advanced.
      if (attempts < 3) await t.pause(followsMs)
    }
  },
  judge: {
    'ATT-FIRST': ({ arrived }, { notes }) => cameAtOnce(arrived, notes['within']),
    'ATT-SECOND-STATUS': ({ arrived }) => nextAfter(arrived, 1),
    'ATT-THIRD': ({ arrived }) => nextAfter(arrived, 2),
    'ATT-SAME-ID': ({ arrived }) => sameIds(arrived),
    'ATT-BACKOFF': ({ arrived }, { notes }) => waitsBetween(arrived, scaleIn(notes)),
    'DLV-PAYLOAD': ({ arrived }) => keepsPayload(arrived),
    'SIGN-RETRY': ({ hook, arrived }) => retriesSigned(arrived, hook),
    ...rawOnes,
  },
  observe: {
    'GAP-ATTEMPT-BODY': ({ arrived }) => bodiesSeen(arrived),
    'GAP-ATTEMPT-BACKOFF': ({ arrived }) => waitsSeen(arrived),
  },
})

/** Long enough for the first attempt to fail, and shorter than a backoff of some seconds. */
const unheardMs = 300

export const unreachable = scenario({
  title: 'an unreachable endpoint causes a second attempt, and none over plain HTTP instead of HTTPS',
  exchanges: ['hook', 'control', 'secure', 'arrived[]', 'plain[]', 'unsecured[]'],
  needs,
  cost: { requests: 7, turns: 1 },
  async run(t) {
    const closed = await t.closedEndpoint('arrived')
    const secure = await t.closedEndpoint('unsecured')
    if (!closed || !secure)
      throw notExercised(
        'receiver-unreachable',
        'only a receiver on this machine can be closed for a while; this one is public',
      )
    const plain = t.endpoint('plain')
    await secure.open()
    await t.webhook('hook', closed)
    await t.webhook('control', plain)
    const endpoint_url = secure.secureAt('localhost')
    await t.manage('secure', { body: webhookBody(t, { endpoint_url, events: [t.event] }) })
    await t.emit()
    await plain.arrived(1)
    await t.pause(unheardMs)
    await closed.open()
    await closed.arrived(1)
    t.note('handshakes', secure.handshakes)
  },
  judge: {
    'ATT-SECOND-UNREACHABLE': ({ arrived, plain }) => cameOnceReachable(arrived, plain),
    'TGT-NO-DOWNGRADE': ({ secure, unsecured }, { notes }) => {
      if (refusedContent(secure, 'the endpoint').is === 'pass')
        return notApplicable('an endpoint at https://localhost is refused')
      // Nothing continues a handshake there.
      const isTried = Number(notes['handshakes']) > 0
      const tried = isTried ? pass : inconclusive('no handshake began at the endpoint of HTTPS')
      return given(all(requestAccepted(secure), tried), () =>
        noneArrived(attemptsIn(unsecured), 'no delivery over plain HTTP to an endpoint of HTTPS'),
      )
    },
  },
})
