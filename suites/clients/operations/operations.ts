/** Running operations where something is in the way: a cut connection, a refusal, a failed receipt. */
import { isDeepStrictEqual } from 'node:util'
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { all, check, given, inconclusive, softened, warn } from '../../scenario/expect.ts'
import { type Exchange, type Json, excerpt } from '../../wire/exchange.ts'
import {
  serviceRequests,
  credentialOf,
  lastSegment,
  differentKeys,
  sameKeyThroughout,
  whereSuccessful,
} from '../assertions/request.ts'
import { ifControlSucceeded, sentTo, reportedIn } from '../assertions/step-result.ts'
import { waitsBeforeRetry } from '../assertions/retry.ts'
import {
  answers,
  completedReceipt,
  cutAt,
  executing,
  failureReceipt,
  inspectOperation,
  routes,
  script,
} from '../execution/step.ts'
import { clientScenario, type ClientScenario, type ClientStep } from '../client-scenario.ts'
import type { NetworkFault } from '../../../spec/types/control.ts'
import type { ExecuteTask } from '../execution/task.ts'
import { failuresIn, containsValue, reachesCaller } from '../assertions/reported-reply.ts'

const keys = ['write-of-the-lantern', 'write-of-the-anchor'] as const
const [lantern, anchor] = keys

const note = (text: string, idempotencyKey: string): ExecuteTask => ({
  do: 'execute',
  operation: 'notes.create',
  input: { text },
  idempotencyKey,
})

const created = script(routes.execution, [completedReceipt({ id: 'note_1', count: 1 })])
/** A second is what the refusal asks to wait. */
const refusing = (status: number, body: Json): NetworkFault => ({
  on: routes.execution,
  ...answers(status, 'application/json', JSON.stringify(body), { 'Retry-After': '1' }),
})
const unavailable = refusing(503, { error: 'The service is temporarily unavailable.' })
const tooMany = refusing(429, {
  error: 'Too many requests.',
  retry_after_seconds: 1,
  limit: 60,
  remaining: 0,
})

const writing = (...networkFaults: readonly NetworkFault[]): ClientStep => ({
  task: note('Light the lantern.', lantern),
  service: { networkFaults },
})

const runs = (exchanges: readonly Exchange[]): readonly Exchange[] => sentTo(exchanges, 'execution')

/**
 * Whether a client sends again by itself is not shown. Either way the write that its caller asks for once more is the
 * same write: both steps count.
 */
function sentAgain(title: string, trouble: NetworkFault): ClientScenario {
  return clientScenario({
    title,
    steps: {
      twin: writing(...created),
      troubled: writing(trouble, ...created),
      again: writing(...created),
      other: { task: note('Drop the anchor.', anchor), service: { networkFaults: created } },
    },
    judge: {
      'LIB-WRITE-KEY': ({ twin, troubled, again, other }) =>
        ifControlSucceeded(runs(twin), () =>
          given(check(runs(troubled).length > 0, 'the write', 'nothing', troubled[0]), () =>
            all(
              sameKeyThroughout([...runs(troubled), ...runs(again)], keys),
              differentKeys(runs(other), runs(troubled), keys),
            ),
          ),
        ),
    },
  })
}

export const cutBefore = sentAgain(
  'a write whose connection broke on the way keeps its key when it is sent again',
  cutAt(routes.execution, 'before'),
)
export const cutAfter = sentAgain(
  'a write whose answer was lost keeps its key when it is sent again',
  cutAt(routes.execution, 'after'),
)
export const unavailableOnce = sentAgain(
  'a write that met a 503 keeps its key when it is sent again',
  unavailable,
)

/**
 * Where a refusal of an operation says how long to wait is not shown: by return is too soon in any case. It says a
 * second, so that a quarter of one is no wait either, however busy the machine is.
 */
const atOnceMs = 250

export const limited = clientScenario({
  title: 'an operation that was refused for its rate is not run again at once',
  steps: {
    twin: writing(...created),
    limited: writing(tooMany, ...created),
  },
  judge: {
    'LIB-RATE-WAIT': ({ twin, limited: refused }) =>
      ifControlSucceeded(runs(twin), () => waitsBeforeRetry(refused, { ms: atOnceMs }, 'execution')),
    'LIB-WRITE-KEY': ({ twin, limited: refused }) =>
      ifControlSucceeded(runs(twin), () => sameKeyThroughout(runs(refused), keys)),
  },
})

const reconcile = 'Look at the list of notes first, and keep the key.'

export const uncertain = clientScenario({
  title: 'a write whose outcome is uncertain never gets a new key',
  steps: {
    twin: writing(...created),
    uncertain: writing(...script(routes.execution, [failureReceipt('OUTCOME_UNCERTAIN', reconcile)])),
  },
  judge: {
    'LIB-WRITE-KEY': ({ twin, uncertain }) =>
      ifControlSucceeded(runs(twin), () =>
        sameKeyThroughout([...runs(twin).slice(0, 1), ...runs(uncertain)], keys),
      ),
    'LIB-FAILED': ({ uncertain }, context) =>
      whereSuccessful(uncertain, () =>
        reachesCaller(context, 'uncertain', ['OUTCOME_UNCERTAIN', reconcile], runs(uncertain)[0]),
      ),
  },
})

const resolution = 'Connect an order system in the project settings, then export again.'
const noSystem = failureReceipt('NO_ORDER_SYSTEM', resolution)

/** With which status a failed receipt comes is not shown: what gets lost with another one is a warning. */
export const failedReceipt = clientScenario({
  title: 'a failed receipt reaches the caller with its code and its way out',
  steps: {
    failed: executing(noSystem),
    unprocessable: executing(noSystem, { status: 422 }),
  },
  judge: {
    'LIB-FAILED': ({ failed, unprocessable }, context) =>
      all(
        failureReported(context, 'failed', runs(failed)),
        softened(failureReported(context, 'unprocessable', runs(unprocessable))),
      ),
  },
})

function failureReported(context: Context, step: string, sent: readonly Exchange[]): Judgement {
  const [first] = sent
  if (!first) return inconclusive('nothing was executed')
  const claims = reportedIn(context, step, 'finished').filter(({ receipt }) => receipt === undefined)
  if (claims.length > 0)
    return check(false, 'a failure', 'work reported as finished, without its receipt', first)
  return reachesCaller(context, step, ['NO_ORDER_SYSTEM', resolution], first)
}

const forbidden = { error: 'The API key may not use this operation.' }

export const refused = clientScenario({
  title: 'an operation that the service refuses stays refused',
  steps: {
    allowed: executing(completedReceipt({ live: {} })),
    refused: executing(forbidden, { status: 403 }),
  },
  judge: {
    'LIB-NOT-PERMITTED': ({ allowed, refused }, context) =>
      ifControlSucceeded(runs(allowed), () => {
        const [first] = runs(refused)
        if (!first) return inconclusive('nothing was executed')
        return all(
          sameCredential(refused, first),
          noWayAround(refused, first),
          notReportedAsDone(context, first),
          notInsisting(refused, first),
        )
      }),
  },
})

function sameCredential(exchanges: readonly Exchange[], first: Exchange): Judgement {
  const other = serviceRequests(exchanges).find((one) => credentialOf(one) !== credentialOf(first))
  return check(!other, 'no other credential than the one that was refused', 'another one', other)
}

/** Reads may ask why; whatever else is sent, or sent otherwise, would be the same work by another way. */
function noWayAround(exchanges: readonly Exchange[], first: Exchange): Judgement {
  const around = exchanges.find((one) => {
    const { method, body } = one.request
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false
    return lastSegment(one) !== inspectOperation || !isDeepStrictEqual(body, first.request.body)
  })
  const got = around ? `${around.request.method} ${around.request.path}` : ''
  return check(!around, 'nothing sent in its place', got, around)
}

/** A client may report the whole response as a result beside the failure, but not as finished. */
function notReportedAsDone(context: Context, first: Exchange): Judgement {
  const isFailure = failuresIn(context, 'refused').length > 0
  const results = reportedIn(context, 'refused', 'result').filter(
    ({ result }) => !isFailure && !containsValue(result, 'may not use') && !containsValue(result, 403),
  )
  const claims = [...reportedIn(context, 'refused', 'finished'), ...results]
  return check(claims.length === 0, 'a refusal', excerpt(JSON.stringify(claims)), first)
}

/** The same once more is no way around, and no use either. */
function notInsisting(exchanges: readonly Exchange[], first: Exchange): Judgement {
  const times = runs(exchanges).length
  return times <= 3
    ? { is: 'pass' }
    : warn('the refusal left at that', `the same request ${times} times`, first)
}
