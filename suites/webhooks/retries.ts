/** What comes after a failure: a second attempt, a third one, and no fourth. */
import type { Answer } from '../inbound/inbox.ts'
import { notExercised } from '../engine/ending.ts'
import { scenario, type Needs } from '../engine/scenario.ts'
import {
  bodiesSeen,
  cameOnceReachable,
  nextAfter,
  noFourth,
  redirects,
  sameIds,
  samplesRetried,
  unlessFollowed,
  waitsBetween,
  waitsSeen,
} from '../judge/attempts.ts'
import { sampleIds } from '../judge/delivery.ts'
import { all, given } from '../judge/expect.ts'
import { tellsApart } from '../judge/log-contrast.ts'
import { retriesSigned, secretsApart } from '../judge/signature.ts'
import { logOf, sampleTo, untilSilent } from './asking.ts'
import { customHeaders, customOnes, liveOnes } from './each-attempt.ts'

const needs: Needs = { session: true, receiver: true, event: 'any' }
const fails: Answer = { status: 500 }
const succeeds: Answer = { status: 200 }

/** Real time in which an attempt that follows at once is here. */
const followsMs = 150

export const recovered = scenario({
  title: 'a delivery that fails twice is tried three times, each time as whole as the first',
  exchanges: ['hook', 'arrived[]'],
  needs,
  cost: { requests: 3, turns: 1 },
  profile: 'smoke',
  async play(t) {
    const place = t.endpoint('arrived', fails, fails, succeeds)
    await t.webhook('hook', place, { custom_headers: customHeaders })
    await t.emit()
    for (const attempts of [1, 2, 3]) {
      if (!(await place.arrived(attempts))) return
      // What follows without any wait comes now, before a clock that is ours to move is moved on.
      if (attempts < 3) await t.pause(followsMs)
    }
  },
  judge: {
    'ATT-SECOND-STATUS': ({ arrived }) => nextAfter(arrived, 1),
    'ATT-THIRD': ({ arrived }) => nextAfter(arrived, 2),
    'ATT-SAME-ID': ({ arrived }) => sameIds(arrived),
    'ATT-BACKOFF': ({ arrived }) => waitsBetween(arrived),
    'SIGN-RETRY': ({ hook, arrived }) => retriesSigned(arrived, hook),
    ...customOnes,
    ...liveOnes,
  },
  observe: {
    'GAP-ATTEMPT-BODY': ({ arrived }) => bodiesSeen(arrived),
    'GAP-ATTEMPT-BACKOFF': ({ arrived }) => waitsSeen(arrived),
  },
})

export const exhausted = scenario({
  title: 'a delivery that fails three times is logged as failed, and not tried a fourth time',
  exchanges: ['hook', 'other', 'control', 'arrived[]', 'failing[]', 'plain[]', 'log', 'plainLog', 'test'],
  needs,
  cost: { requests: 10, turns: 1 },
  async play(t) {
    const places = [t.endpoint('arrived', fails), t.endpoint('failing', fails)] as const
    const plain = t.endpoint('plain')
    const hook = await t.webhook('hook', places[0])
    await t.webhook('other', places[1])
    const control = await t.webhook('control', plain)
    await t.emit()
    for (const place of places) await place.arrived(3)
    await untilSilent(t, plain)
    const before = plain.count
    await t.manage('log', logOf(hook))
    await t.manage('plainLog', logOf(control))
    await t.manage('test', sampleTo(control))
    t.note('reachable', await plain.arrived(before + 1))
  },
  judge: {
    'ATT-THIRD': ({ arrived, failing }) => nextAfter([...arrived, ...failing], 2),
    'ATT-NO-FOURTH': ({ arrived, failing, plain }, { notes }) =>
      noFourth([...arrived, ...failing], notes['reachable'] === true ? plain : []),
    'ATT-FAILED': ({ log, plainLog, arrived, plain }, { dialect }) =>
      given(nextAfter(arrived, 2), () =>
        tellsApart({ log: plainLog, arrived: plain, dialect }, { log, arrived, dialect }),
      ),
  },
})

const refusals = [404, 410, 429, 503] as const

export const anyRefusal = scenario({
  title: 'after an answer of any kind from 400 to 599 a second attempt comes',
  exchanges: ['hooks[]', 'arrived[]'],
  needs,
  cost: { requests: 2 * refusals.length + 1, turns: 1 },
  async play(t) {
    const places = refusals.map((status) => t.endpoint('arrived', { status }, succeeds))
    for (const place of places) await t.webhookMore('hooks', place)
    await t.emit()
    for (const place of places) await place.arrived(2)
  },
  judge: {
    'ATT-SECOND-STATUS': ({ arrived }) => nextAfter(arrived, 1),
    'ATT-SAME-ID': ({ arrived }) => sameIds(arrived),
  },
})

export const unanswered = scenario({
  title: 'after an endpoint that never answers, or hangs up, a second attempt comes',
  exchanges: ['hooks[]', 'silent[]', 'dropped[]'],
  needs,
  cost: { requests: 5, turns: 1 },
  async play(t) {
    const places = [t.endpoint('silent', 'hang', succeeds), t.endpoint('dropped', 'close', succeeds)]
    for (const place of places) await t.webhookMore('hooks', place)
    await t.emit()
    for (const place of places) await place.arrived(2)
  },
  judge: {
    'ATT-SECOND-SILENT': ({ silent, dropped }) => all(nextAfter(silent, 1), nextAfter(dropped, 1)),
    'ATT-SAME-ID': ({ silent, dropped }) => all(sameIds(silent), sameIds(dropped)),
  },
})

/** Long enough for the first attempt to have met nobody, and shorter than a backoff of some seconds. */
const unheardMs = 300

export const unreachable = scenario({
  title: 'after an endpoint that cannot be reached a second attempt comes',
  exchanges: ['hook', 'control', 'arrived[]', 'plain[]'],
  needs,
  cost: { requests: 5, turns: 1 },
  async play(t) {
    const closed = await t.closedEndpoint('arrived')
    if (!closed)
      throw notExercised(
        'receiver-unreachable',
        'only a receiver on this machine can be closed for a while; this one is public',
      )
    const plain = t.endpoint('plain')
    await t.webhook('hook', closed)
    await t.webhook('control', plain)
    await t.emit()
    await plain.arrived(1)
    await t.pause(unheardMs)
    await closed.open()
    await closed.arrived(1)
  },
  judge: {
    'ATT-SECOND-UNREACHABLE': ({ arrived, plain }) => cameOnceReachable(arrived, plain),
  },
})

export const redirected = scenario({
  title: 'an answer that sends a delivery elsewhere, or nowhere, is no success',
  exchanges: ['hooks[]', 'moved[]', 'temporary[]', 'nowhere[]', 'elsewhere[]', 'onward[]'],
  needs,
  cost: { requests: 7, turns: 1 },
  async play(t) {
    const [elsewhere, onward] = [t.endpoint('elsewhere'), t.endpoint('onward')]
    const moved = t.endpoint('moved', { status: 301, headers: [['location', elsewhere.url]] }, succeeds)
    const temporary = t.endpoint('temporary', { status: 307, headers: [['location', onward.url]] }, succeeds)
    const nowhere = t.endpoint('nowhere', { status: 300 }, succeeds)
    const places = [moved, temporary, nowhere]
    for (const place of places) await t.webhookMore('hooks', place)
    await t.emit()
    for (const place of places) await place.arrived(2)
  },
  judge: {
    'ATT-SECOND-REDIRECT': ({ moved, temporary, nowhere, elsewhere, onward }) =>
      all(nextAfter(nowhere, 1), unlessFollowed(moved, elsewhere), unlessFollowed(temporary, onward)),
    'SIGN-SECRET-OWN': ({ hooks }) => secretsApart(hooks),
  },
  observe: {
    'GAP-REDIRECT': ({ moved, temporary, elsewhere, onward }) =>
      redirects({ '301': [moved, elsewhere], '307': [temporary, onward] }),
  },
})

export const testsRetried = scenario({
  title: 'whether a test is tried again when it fails',
  exchanges: ['hook', 'test', 'arrived[]'],
  needs: { session: true, receiver: true },
  cost: { requests: 3, turns: 0 },
  async play(t) {
    const place = t.endpoint('arrived', fails)
    const hook = await t.webhook('hook', place)
    await t.manage('test', sampleTo(hook))
    await untilSilent(t, place)
  },
  judge: {
    'DLV-ID-TEST': ({ arrived }) => sampleIds(arrived),
  },
  observe: {
    'GAP-TEST-RETRY': ({ arrived }) => samplesRetried(arrived),
  },
})
