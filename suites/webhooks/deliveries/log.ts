/** The log of a webhook, compared with the requests to its endpoint. */
import type { Dialect } from '../../config/dialect.ts'
import type { Hook } from '../../scenario/webhook-driver.ts'
import { scenario, type Context, type Driver, type Judgement } from '../../scenario/scenario.ts'
import { isObject } from '../../../spec/json.ts'
import { attemptsIn } from '../assertions/deliveries.ts'
import { all, check, every, given, inconclusive, observed } from '../../scenario/expect.ts'
import {
  countsRetries,
  distinguishesSuccess,
  hasEntries,
  hasEvent,
  hasResponseTime,
  hasStatus,
  type Logged,
  entriesOf,
  leavesOf,
} from '../assertions/management/log-entry.ts'
import { samplesRetried } from '../assertions/management/attempts.ts'
import { sampleIds } from '../assertions/delivery.ts'
import { requestAccepted } from '../assertions/management/webhook-record.ts'
import { type Exchange, json } from '../../wire/exchange.ts'
import { readLogOf, sampleTo } from '../webhook-requests.ts'

/** Statuses that no service returns by default: the log shows the status of our response. */
const accepted = { status: 202 }
const refused = { status: 418 }

const attempts = 3
/** The most interpretations of a log. */
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
  return last ? { log: last, arrived, dialect } : null
}

/** Judges both logs, or one compared with the other. */
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
): Promise<void> {
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
}

const isPass = ({ is }: Judgement): boolean => is === 'pass'

function isWhole(logged: Logged, is: 'live' | 'test'): boolean {
  return [hasEvent(logged, is), hasStatus(logged), hasResponseTime(logged)].every(isPass)
}

const exchanges = ['good', 'bad', 'taken[]', 'refused[]', 'goodLog[]', 'badLog[]'] as const
const requests = 2 * 2 + 2 * looksMost

export const live = scenario({
  title: 'the log shows a delivery that succeeded and one that failed',
  exchanges,
  needs: { session: true, receiver: true, event: 'any' },
  cost: { requests: requests + 1, turns: 1 },
  run: (t) => look(t, 'live', () => t.emit()),
  judge: judges('live'),
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
  run: (t) =>
    look(t, 'test', async (hooks) => {
      for (const hook of hooks) await t.manageMore('tests', sampleTo(hook))
    }),
  judge: { ...judges('test'), 'DLV-ID-TEST': ({ refused: retried }) => sampleIds(retried) },
  observe: { 'GAP-TEST-RETRY': ({ refused: retried }) => samplesRetried(retried) },
})

/** The members at the top of a log. */
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
