/** Retries after a failure: a second attempt, a third one, and no fourth. */
import type { InboundAnswer } from '../../inbound/place.ts'
import { notExercised } from '../../scenario/ending.ts'
import { scenario, type Needs, type Driver, type Judgement } from '../../scenario/scenario.ts'
import {
  bodiesSeen,
  cameAtOnce,
  cameOnceReachable,
  keepsPayload,
  nextAfter,
  noFourth,
  sameIds,
  scaleIn,
  waitsBetween,
  waitsSeen,
} from '../assertions/management/attempts.ts'
import { noneArrived, attemptsIn } from '../assertions/deliveries.ts'
import { customHeaders, rawOnes } from '../assertions/delivery.ts'
import { all, every, given, inconclusive, notApplicable, pass, check } from '../../scenario/expect.ts'
import {
  distinguishesSuccess,
  entriesOfArrived,
  hasList,
  type Logged,
  entriesOf,
} from '../assertions/management/log-entry.ts'
import {
  requestAccepted,
  refusedContent,
  wasAccepted,
  identityOf,
} from '../assertions/management/webhook-record.ts'
import { retriesSigned } from '../assertions/signature.ts'
import { emitAndTime, readLogOf, sampleTo, untilSilent, webhookBody } from '../webhook-requests.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'

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

/**
 * An address without a listener: in development a closed port of this machine, elsewhere a name that does not
 * resolve.
 */
async function nowhere(t: Driver<'unmet[]'>): Promise<string> {
  const closed = t.development ? await t.closedEndpoint('unmet') : null
  return closed?.url ?? `https://nobody.invalid/touchstone/${t.uuid()}`
}

const silence: InboundAnswer = 'hang'

export const exhausted = scenario({
  title: 'a delivery that fails three times is logged as failed, and not tried a fourth time',
  exchanges: [
    ...(['hook', 'control', 'unmetHook', 'more[]'] as const),
    ...(['arrived[]', 'failing[]', 'silent[]', 'plain[]', 'unmet[]'] as const),
    ...(['log', 'plainLog', 'unmetLogs[]', 'test'] as const),
  ],
  needs,
  cost: { requests: 17, turns: 1 },
  async run(t) {
    const plain = t.endpoint('plain')
    const failing = [t.endpoint('arrived', fails), t.endpoint('failing', fails)] as const
    const silent = [t.endpoint('silent', silence), t.endpoint('silent', silence)] as const
    const hook = await t.webhook('hook', failing[0])
    for (const place of [failing[1], ...silent]) await t.webhookMore('more', place)
    const control = await t.webhook('control', plain)
    const body = webhookBody(t, { endpoint_url: await nowhere(t), events: [t.event] })
    const unmet = identityOf(await t.manage('unmetHook', { body }))
    await t.emit()
    for (const place of [...failing, ...silent]) await place.arrived(3)
    await untilSilent(t, plain)
    const before = plain.count
    await t.manage('log', readLogOf(hook))
    await t.manage('plainLog', readLogOf(control))
    await t.manage('test', sampleTo(control))
    t.note('reachable', await plain.arrived(before + 1))
    if (unmet) await t.manageMore('unmetLogs', { ...readLogOf(unmet), until: (log) => hasSome(log, t) })
  },
  judge: {
    'ATT-SAME-ID': ({ silent }) => sameIds(silent),
    // A service may pause the host after this many failures before it retries the endpoints that hang, which fail
    // late.
    'ATT-THIRD': ({ arrived, failing }) => nextAfter([...arrived, ...failing], 2),
    'ATT-NO-FOURTH': ({ arrived, failing, silent, plain }, { notes }) => {
      const isReachable = notes['reachable'] === true
      const places = [[...arrived, ...failing], silent]
      return all(...places.map((failed) => noFourth(failed, plain, isReachable)))
    },
    'ATT-FAILED': ({ log, plainLog, unmetHook, unmetLogs, arrived, plain }, { dialect }) => {
      const succeeded = { log: plainLog, arrived: plain, dialect }
      const failed = { log, arrived, dialect }
      const judged = given(nextAfter(arrived, 2), () => distinguishesSuccess(succeeded, failed))
      // A service may refuse an endpoint that does not resolve.
      if (judged.is !== 'pass' || !wasAccepted(unmetHook)) return judged
      return every(unmetLogs, (one) => logsUnmet(failed, { log: one, arrived: plain, dialect }))
    },
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
      return given(all(requestAccepted(secure), tried(notes['handshakes'])), () =>
        noneArrived(attemptsIn(unsecured), 'no delivery over plain HTTP to an endpoint of HTTPS'),
      )
    },
  },
})

/** Nothing continues a handshake there. */
function tried(handshakes: unknown): Judgement {
  return Number(handshakes) > 0 ? pass : inconclusive('nobody began a handshake at the endpoint of HTTPS')
}

/** Whether a log has any entry, used for polling. */
function hasSome(log: Exchange, { dialect }: { readonly dialect: Dialect }): boolean {
  return (entriesOf(log, dialect)?.length ?? 0) > 0
}

/**
 * `refused`: the log of a delivery of the same event that was refused three times, which shows the entries. `unmet`:
 * with the deliveries of the event elsewhere.
 */
function logsUnmet(refused: Logged, unmet: Logged): Judgement {
  return given(hasList(refused), () => {
    if (entriesOfArrived(refused).length === 0) return inconclusive('the log shows no delivery that failed')
    return given(hasList(unmet), () =>
      check(
        hasSome(unmet.log, unmet),
        'an entry for a delivery that met nobody at its endpoint',
        'a log without any entry',
        unmet.log,
      ),
    )
  })
}
