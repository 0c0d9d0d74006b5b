/** The log of a webhook, compared with the requests to its endpoint. */
import type { Dialect } from '../../config/dialect.ts'
import type { Endpoint, Hook } from '../../scenario/webhook-driver.ts'
import { scenario, type Context, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { isObject } from '../../../spec/json.ts'
import { attemptsIn, until } from '../assertions/deliveries.ts'
import { all, check, every, given, inconclusive, observed } from '../../scenario/expect.ts'
import {
  countsRetries,
  distinguishesSuccess,
  entriesOfArrived,
  hasList,
  hasEntries,
  hasEvent,
  hasResponseTime,
  hasStatus,
  type Logged,
  entriesOf,
  leavesOf,
} from '../assertions/management/log-entry.ts'
import { nextAfter, noFourth, sameIds, samplesRetried } from '../assertions/management/attempts.ts'
import { sampleIds } from '../assertions/delivery.ts'
import { identityOf, requestAccepted, wasAccepted } from '../assertions/management/webhook-record.ts'
import { type Exchange, json } from '../../wire/exchange.ts'
import { readLogOf, sampleTo, untilSilent, webhookBody } from '../webhook-requests.ts'

/** Statuses that no service returns by default: the log shows the status of our response. */
const accepted = { status: 202 }
const refused = { status: 418 }

const attempts = 3
const looksMost = 6

type Log = 'goodLog' | 'badLog'

type LogExchanges = Readonly<
  Record<'good' | 'bad', Exchange> & Record<Log | 'taken' | 'refused', readonly Exchange[]>
>

const succeeded = (logs: LogExchanges, dialect: Dialect): Logged | null =>
  logged(logs.goodLog, logs.taken, dialect)
const failed = (logs: LogExchanges, dialect: Dialect): Logged | null =>
  logged(logs.badLog, logs.refused, dialect)

function logged(log: readonly Exchange[], arrived: readonly Exchange[], dialect: Dialect): Logged | null {
  const last = log.at(-1)
  return last ? { log: last, arrived: until(arrived, last), dialect } : null
}

const both =
  (judge: Pair) =>
  (logs: LogExchanges, { dialect }: Context) => {
    const [good, bad] = [succeeded(logs, dialect), failed(logs, dialect)]
    return good && bad ? judge(good, bad) : inconclusive('the log was not read')
  }

type Pair = (good: Logged, bad: Logged) => Judgement

/** Whether samples are logged is unspecified: if neither log shows one, record that. */
const logsSamples =
  (judge: Pair): Pair =>
  (good, bad) => {
    const isSilent = [good, bad].every(
      (one) => attemptsIn(one.arrived).length > 0 && entriesOf(one.log, one.dialect)?.length === 0,
    )
    return isSilent ? observed('samples are not logged') : judge(good, bad)
  }

const judges = (is: 'live' | 'test') => {
  const judged = (judge: Pair) => both(is === 'live' ? judge : logsSamples(judge))
  const read = judged((good, bad) => all(hasEntries(good, is), hasEntries(bad, is)))
  return {
    'LOG-READ': read,
    'LOG-EVENT': judged((good, bad) => all(hasEvent(good, is), hasEvent(bad, is))),
    'LOG-STATUS': judged((good, bad) => all(hasStatus(good), hasStatus(bad))),
    'LOG-TIME': judged((good, bad) => all(hasResponseTime(good), hasResponseTime(bad))),
    'LOG-SUCCESS': judged(distinguishesSuccess),
    'LOG-RETRIES': judged(countsRetries),
  } as const
}

type Names = 'good' | 'bad' | 'taken[]' | 'refused[]' | `${Log}[]`

/**
 * Reads the logs of one delivery that succeeds and one that fails. An entry may be written, or completed, after its
 * delivery, so reads again until all entries are there.
 */
async function look(
  t: Driver<Names>,
  is: 'live' | 'test',
  cause: (hooks: readonly Hook[]) => Promise<unknown>,
): Promise<readonly [Hook, Endpoint]> {
  const places = [t.endpoint('taken', accepted), t.endpoint('refused', refused)] as const
  const good = await t.webhook('good', places[0])
  const bad = await t.webhook('bad', places[1])
  await cause([good, bad])
  await places[0].arrived(1)
  await places[1].arrived(attempts)
  const came = (name: string): readonly Exchange[] => t.exchanges().filter((one) => one.name === name)
  const whole = (log: Exchange, name: string): Logged => ({ log, arrived: came(name), dialect: t.dialect })
  const first = await t.manageMore('goodLog', {
    ...readLogOf(good),
    until: (log) => isWhole(whole(log, 'taken'), is),
  })
  const succeeded = whole(first, 'taken')
  await t.manageMore('badLog', {
    ...readLogOf(bad),
    until: (log) => {
      const failed = whole(log, 'refused')
      return (
        isWhole(failed, is) &&
        [distinguishesSuccess, countsRetries].every((judge) => isPass(judge(succeeded, failed)))
      )
    },
  })
  return [good, places[0]]
}

const isPass = ({ is }: Judgement): boolean => is === 'pass'

function isWhole(logged: Logged, is: 'live' | 'test'): boolean {
  return [hasEvent(logged, is), hasStatus(logged), hasResponseTime(logged)].every(isPass)
}

const exchanges = ['good', 'bad', 'taken[]', 'refused[]', 'goodLog[]', 'badLog[]'] as const
const requests = 2 * 2 + 2 * looksMost

/** An address without a listener: a closed port of this machine, or a name that does not resolve. */
async function nowhere(t: Driver<'unmet[]'>): Promise<string> {
  const closed = t.development ? await t.closedEndpoint('unmet') : null
  return closed?.url ?? `https://nobody.invalid/touchstone/${t.uuid()}`
}

export const live = scenario({
  title: 'the log shows a delivery that succeeded and one that failed three times, which is not tried again',
  exchanges: [
    ...exchanges,
    ...(['more[]', 'unmetHook', 'failing[]', 'silent[]', 'unmet[]', 'unmetLogs[]', 'test'] as const),
  ],
  needs: { session: true, receiver: true, event: 'any' },
  cost: { requests: requests + 17, turns: 1 },
  async run(t) {
    const failing = t.endpoint('failing', { status: 500 })
    const others = [failing, t.endpoint('silent', 'hang'), t.endpoint('silent', 'hang')]
    const body = webhookBody(t, { endpoint_url: await nowhere(t), events: [t.event] })
    const unmet = identityOf(await t.manage('unmetHook', { body }))
    for (const place of others) await t.webhookMore('more', place)
    const [control, taken] = await look(t, 'live', async () => {
      await t.emit()
      for (const place of others) await place.arrived(attempts)
    })
    await untilSilent(t, taken)
    const { count } = taken
    await t.manage('test', sampleTo(control))
    t.note('reachable', await taken.arrived(count + 1))
    if (unmet) await t.manageMore('unmetLogs', { ...readLogOf(unmet), until: (log) => hasSome(log, t) })
  },
  judge: {
    ...judges('live'),
    'ATT-SAME-ID': ({ silent }) => sameIds(silent),
    // A service may pause the host after this many failures before it retries the endpoints that hang, which fail
    // late.
    'ATT-THIRD': ({ refused, failing }) => nextAfter([...refused, ...failing], 2),
    'ATT-NO-FOURTH': ({ refused, failing, silent, taken }, { notes }) => {
      const isReachable = notes['reachable'] === true
      const places = [[...refused, ...failing], silent]
      return all(...places.map((failed) => noFourth(failed, taken, isReachable)))
    },
    'ATT-FAILED': (logs, { dialect }) => {
      const [good, bad] = [succeeded(logs, dialect), failed(logs, dialect)]
      if (!good || !bad) return inconclusive('the log was not read')
      const judged = given(nextAfter(logs.refused, 2), () => distinguishesSuccess(good, bad))
      // A service may refuse an endpoint that does not resolve.
      if (judged.is !== 'pass' || !wasAccepted(logs.unmetHook)) return judged
      return every(logs.unmetLogs, (log) => logsUnmet(bad, { ...good, log }))
    },
  },
  observe: {
    'GAP-LOG-FIELDS': (logs, { dialect }) =>
      ofFailed(logs, dialect, ([entry]) =>
        entry ? [...new Set(leavesOf(entry).map(({ path }) => path))].sort().join(', ') : 'there is no entry',
      ),
    'GAP-LOG-LIST': ({ badLog }) =>
      every(badLog.slice(-1), (log) => given(requestAccepted(log), () => observed(outline(log)))),
    'GAP-LOG-GRAIN': (logs, { dialect }) =>
      ofFailed(logs, dialect, (entries) => `${entries.length} entries of one delivery`, attempts),
  },
})

/** The same with samples, for targets without a state provider for events. They may not be logged or retried. */
export const samples = scenario({
  title: 'the log of samples has the required entries',
  exchanges: [...exchanges, 'tests[]'],
  needs: { session: true, receiver: true, extra: true },
  cost: { requests: requests + 2, turns: 0 },
  async run(t) {
    await look(t, 'test', async (hooks) => {
      for (const hook of hooks) await t.manageMore('tests', sampleTo(hook))
    })
  },
  judge: { ...judges('test'), 'DLV-ID-TEST': ({ refused: retried }) => sampleIds(retried) },
  observe: { 'GAP-TEST-RETRY': ({ refused: retried }) => samplesRetried(retried) },
})

function outline(log: Exchange): string {
  const body = json(log)
  if (!body.ok) return 'no JSON'
  return isObject(body.value) ? `an object of ${Object.keys(body.value).sort().join(', ')}` : 'a list'
}

type Entries = NonNullable<ReturnType<typeof entriesOf>>

/** Records a property of the log of a delivery with this many attempts. */
function ofFailed(logs: LogExchanges, dialect: Dialect, say: (entries: Entries) => string, tried = 1) {
  const bad = failed(logs, dialect)
  if (!bad) return inconclusive('the log was not read')
  return given(
    check(
      attemptsIn(logs.refused).length >= tried,
      `${tried} attempts`,
      `${attemptsIn(logs.refused).length}`,
    ),
    () => observed(say(entriesOf(bad.log, dialect) ?? [])),
  )
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
