/** What a client does when it is refused. Sending again is its own choice; what is judged is how. */
import type { RefuseAction } from '../../../spec/types/control.ts'
import type { Context, Judgement } from '../../scenario/scenario.ts'
import { all, fail, inconclusive, softened, warn } from '../../scenario/expect.ts'
import { canonical } from '../../assertions/reply.ts'
import type { Exchange } from '../../wire/exchange.ts'
import {
  serviceRequests,
  credentialOf,
  idempotencyKeysOf,
  apiKeyOf,
  bodyMember,
} from '../assertions/request.ts'
import { ifControlSucceeded, sentTo } from '../assertions/step-result.ts'
import { ifStreamed } from '../assertions/reported-stream.ts'
import {
  notSentAgain,
  noOtherKey,
  reportsSeconds,
  retriesSameRequest,
  retriesSameTurn,
  waitsBeforeRetry,
} from '../assertions/retry.ts'
import { refusalsWith, unlimited } from '../execution/step.ts'
import type { ServiceSetup } from '../execution/task.ts'
import { clientScenario, type ClientStep, type ClientScenario } from '../client-scenario.ts'
import { streaming } from '../streams/stream-scenario.ts'
import { failuresIn, completionsIn, reportsNoReply, ifReplyReported } from '../assertions/reported-reply.ts'

const asked = (service: ServiceSetup = {}): ClientStep => ({
  task: { do: 'chat', message: 'Please book the room for Friday.', idempotencyKey: 'booking-17' },
  service,
})

const refuses = (...how: Parameters<typeof refusalsWith>): ClientStep =>
  asked({ preparation: 'conversation', networkFaults: refusalsWith(...how) })

type Judging = (steps: Record<'served' | 'refused', readonly Exchange[]>, context: Context) => Judgement

/** Judged of a client that is served where nothing is in its way. */
const ofRefused =
  (judge: (refused: readonly Exchange[], context: Context) => Judgement): Judging =>
  ({ served, refused }, context) =>
    ifControlSucceeded(served, () => judge(refused, context))

const noReply: Judging = ({ served, refused }, context) =>
  ifReplyReported(served, context, 'served', () => reportsNoReply(refused, context, 'refused'))

/**
 * The turn did not run, and never will: what comes with another key is another turn, such as a current button in place
 * of a superseded one. Another turn under the same key is what the contract leaves open and nobody would advise.
 */
function advised(refused: readonly Exchange[]): Judgement {
  const [first] = sentTo(refused, 'chat')
  return softened(retriesSameTurn(refused.filter((one) => first && keysOf(one) === keysOf(first))))
}

/**
 * No wait to speak of: by return, the next request takes a few milliseconds. On a machine that is busy it may take
 * longer, so that several are looked at, of which the fastest counts.
 */
const atOnceMs = 50
const refusedTimes = 3

export const inProgress = clientScenario({
  title: 'a turn that is in progress is sent again as it was, after a wait',
  steps: { served: asked(), refused: refuses('REQUEST_IN_PROGRESS', refusedTimes) },
  judge: {
    'LIB-IN-PROGRESS': ofRefused((refused) =>
      all(waitsBeforeRetry(refused, { ms: atOnceMs, growing: true }), retriesSameRequest(refused)),
    ),
    'LIB-SENT-AGAIN': ofRefused(retriesSameTurn),
    'LIB-NO-FALSE-REPLY': noReply,
  },
})

export const uncertain = clientScenario({
  title: 'a turn whose outcome is uncertain gets no new key',
  steps: { served: asked(), refused: asked({ preparation: 'uncertain-key' }) },
  judge: {
    'LIB-UNCERTAIN': ofRefused((refused) =>
      notSentAgain(refused, noOtherKey, (again, first) => keysOf(again) !== keysOf(first)),
    ),
    'LIB-NO-FALSE-REPLY': noReply,
  },
})

const keysOf = (exchange: Exchange): string => idempotencyKeysOf(exchange).join(' and ')

/** Refused for good: whatever is sent again is as it was, and no reply came. */
function refusedFor(title: string, refused: ClientStep): ClientScenario {
  return clientScenario({
    title,
    steps: { served: asked(), refused },
    judge: {
      'LIB-NO-FALSE-REPLY': noReply,
      'LIB-SENT-AGAIN': ofRefused(advised),
    },
  })
}

export const conflict = refusedFor('a key of another message ends the turn', refuses('IDEMPOTENCY_CONFLICT'))
export const paused = refusedFor(
  'a button is not answered while replies are paused',
  asked({ agent: 'workflow', preparation: 'paused-button' }),
)
export const credits = refusedFor('a turn without credits has no reply', asked({ preparation: 'no-credits' }))

export const stale = clientScenario({
  title: 'a superseded button is not pressed again',
  steps: {
    served: asked({ agent: 'workflow', preparation: 'button' }),
    refused: asked({ agent: 'workflow', preparation: 'stale-button' }),
  },
  judge: {
    'LIB-STALE': ofRefused((refused) =>
      notSentAgain(
        refused,
        'no request with the superseded button again',
        (again, first) => buttonOf(again) === buttonOf(first),
      ),
    ),
    'LIB-NO-FALSE-REPLY': noReply,
    'LIB-SENT-AGAIN': ofRefused(advised),
  },
})

const buttonOf = (exchange: Exchange): string => canonical(bodyMember(exchange, 'interaction') ?? null)

const seconds = 2

export const limited = clientScenario({
  title: 'what was refused for its rate is sent again after the wait that was reported, or not at all',
  steps: { served: asked(), refused: refuses('RATE_LIMITED', 1, seconds) },
  judge: {
    // Half of it is no more than a guess at it; the rest is for clocks that go a little wrong.
    'LIB-RATE-WAIT': ofRefused((refused) =>
      waitsBeforeRetry(refused, { ms: 500 * seconds, short: 950 * seconds }),
    ),
    'LIB-NO-FALSE-REPLY': noReply,
  },
})

export const retryAfter = clientScenario({
  title: 'the library reports how long to wait',
  clientKind: 'library',
  steps: { served: asked(), refused: refuses('RATE_LIMITED', unlimited, seconds) },
  judge: {
    'LIB-RATE-SECONDS': ofRefused((refused, context) => reportsSeconds(refused, context, 'refused', seconds)),
  },
})

export const streamRetryAfter = clientScenario({
  title: 'the library reports how long to wait for a refused stream',
  clientKind: 'library',
  steps: {
    served: streaming(),
    refused: streaming({ networkFaults: refusalsWith('RATE_LIMITED', unlimited, seconds) }),
  },
  judge: {
    'LIB-RATE-SECONDS': ({ served, refused }, context) =>
      ifStreamed(served, () => reportsSeconds(refused, context, 'refused', seconds)),
  },
})

/** Tries with the same credential; beyond that nobody is helped by one more. */
const mostTries = 8

/** Refused for who asks: the same credential each time, or none any more. */
function notWorkedAround(refused: readonly Exchange[], context: Context): Judgement {
  const [first, ...later] = serviceRequests(refused)
  if (!first) return inconclusive('it sent nothing')
  const [claim] = completionsIn(context, 'refused')
  if (claim) return fail('a refusal reported as such', 'a reported reply', first)
  const other = later.find((one) => credentialOf(one) !== credentialOf(first) || showsKey(one, first))
  if (other) return fail('the one credential that it was given', 'another was tried', other)
  if (sentTo(refused, 'chat').length > mostTries)
    return warn(`no more than ${mostTries} tries`, `${sentTo(refused, 'chat').length}`, refused.at(-1))
  const reported = failuresIn(context, 'refused').length > 0
  return { is: 'pass', ...(reported ? {} : { note: 'the application did not report the failure' }) }
}

/** The key stands in a place where it did not stand at first. */
function showsKey(later: Exchange, first: Exchange): boolean {
  const key = apiKeyOf(first)
  const places = ({ request }: Exchange): string =>
    [request.path, ...request.headers.filter(([, value]) => value.includes(key)).map(([name]) => name)]
      .map((place) => (place.includes(key) ? 'address' : place.toLowerCase()))
      .filter((place) => !place.startsWith('/'))
      .sort()
      .join()
  return key !== '' && places(later) !== places(first)
}

function refusedWho(title: string, service: ServiceSetup): ClientScenario {
  return clientScenario({
    title,
    steps: { served: asked(), refused: asked(service) },
    judge: { 'LIB-REFUSED': ofRefused(notWorkedAround), 'LIB-NO-FALSE-REPLY': noReply },
  })
}

export const unknownKey = refusedWho('no other credential is tried for a revoked key', { apiKey: 'revoked' })
export const missingScope = refusedWho('no other credential is tried for a missing scope', {
  apiKey: 'noChat',
})
export const disallowed = refusedWho('no other credential is tried for another plan', { agent: 'forbidden' })

/** The turn may have run: whoever sends it again sends the same one. */
function failing(title: string, code: RefuseAction['code']): ClientScenario {
  return clientScenario({
    title,
    steps: { served: asked(), refused: refuses(code, 1) },
    judge: { 'LIB-SENT-AGAIN': ofRefused(retriesSameTurn), 'LIB-NO-FALSE-REPLY': noReply },
  })
}

export const unavailable = failing('an unavailable service gets the same turn again', 'UNAVAILABLE')
export const serverError = failing('after a server error the same turn is sent again', 'SERVER_ERROR')
