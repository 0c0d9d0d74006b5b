/** What a client does when it is refused. Sending again is its own choice; what is judged is how. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Context } from '../../scenario/scenario.ts'
import { all, broken, check, inconclusive, notApplicable, weak } from '../../scenario/expect.ts'
import { isMembers } from '../../assertions/pointer.ts'
import { canonical } from '../../assertions/reply.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { asking, credentialOf, idempotencyKeysOf, keyOf, sentJson } from '../assertions/request.ts'
import { beside, sentTo, toldIn } from '../assertions/step-result.ts'
import { notAgain, sentAlike, waited } from '../assertions/retry.ts'
import type { RefusalName, Stage } from '../execution/service.ts'
import { clientScenario, type Act, type ClientScenario } from '../client-scenario.ts'
import { streaming } from '../streams/stream-scenario.ts'
import {
  answeredWhole,
  failuresIn,
  finishesIn,
  noFalseReply,
  whereItTells,
} from '../assertions/reported-reply.ts'

const asked = (stage?: Stage): Act => ({
  task: { do: 'chat', message: 'Please book the room for Friday.', idempotencyKey: 'booking-17' },
  ...(stage ? { stage } : {}),
})

/** More requests than an act has. */
const ever = 1_000

const refuses = (code: RefusalName, times = ever, more: { retryAfterSeconds?: number } = {}): Act =>
  asked({ before: 'conversation', networkFaults: [{ times, do: { is: 'refuse', code, ...more } }] })

interface Acts {
  served: readonly Exchange[]
  refused: readonly Exchange[]
}
type Judging = (acts: Acts, context: Context) => Judgement

/** Judged of a client that is served where nothing is in its way. */
const ofRefused =
  (judge: (refused: readonly Exchange[], context: Context) => Judgement): Judging =>
  ({ served, refused }, context) =>
    beside(served, () => judge(refused, context))

const noReply: Judging = ({ served, refused }, context) =>
  beside(served, () => whereItTells(context, 'served', () => noFalseReply(refused, context, 'refused')))

/**
 * The turn did not run, and never will: what comes with another key is another turn, such as a current button in place
 * of a superseded one. Another turn under the same key is what the contract leaves open and nobody would advise.
 */
function advised(refused: readonly Exchange[]): Judgement {
  const [first] = sentTo(refused, 'chat')
  const judgement = sentAlike(refused.filter((one) => first && keysOf(one) === keysOf(first)))
  return judgement.is === 'broken' ? { ...judgement, is: 'weak' } : judgement
}

/**
 * No wait to speak of: by return, the next request takes a few milliseconds. On a machine that is busy it may take
 * longer, so that several are looked at, of which the fastest counts.
 */
const atOnceMs = 50
const refusedTimes = 3

export const inProgress = clientScenario({
  title: 'a turn that is in progress is sent again as it was, after a wait',
  acts: { served: asked(), refused: { ...refuses('REQUEST_IN_PROGRESS', refusedTimes), limitMs: 20_000 } },
  judge: {
    'LIB-IN-PROGRESS': ofRefused((refused) =>
      all(waited(refused, { ms: atOnceMs, growing: true }), sentAlike(refused)),
    ),
    'LIB-SENT-AGAIN': ofRefused(sentAlike),
    'LIB-NO-FALSE-REPLY': noReply,
  },
})

export const uncertain = clientScenario({
  title: 'a turn whose outcome is uncertain gets no new key',
  acts: { served: asked(), refused: asked({ before: 'uncertain-key' }) },
  judge: {
    'LIB-UNCERTAIN': ofRefused((refused) =>
      notAgain(refused, 'the turn with another key', (again, first) => keysOf(again) !== keysOf(first)),
    ),
    'LIB-NO-FALSE-REPLY': noReply,
  },
})

const keysOf = (exchange: Exchange): string => idempotencyKeysOf(exchange).join(' and ')

/** Refused for good: whatever is sent again is as it was, and no reply came. */
function refusedFor(title: string, refused: Act): ClientScenario {
  return clientScenario({
    title,
    acts: { served: asked(), refused },
    judge: {
      'LIB-NO-FALSE-REPLY': noReply,
      'LIB-SENT-AGAIN': ofRefused(advised),
    },
  })
}

export const conflict = refusedFor(
  'a key that was used for another message ends the turn',
  refuses('IDEMPOTENCY_CONFLICT'),
)
export const paused = refusedFor(
  'a button is not answered while replies are paused',
  asked({ agent: 'workflow', before: 'paused-button' }),
)
export const credits = refusedFor(
  'a turn that credits do not cover has no reply',
  asked({ before: 'no-credits' }),
)

export const stale = clientScenario({
  title: 'a superseded button is not pressed again',
  acts: {
    served: asked({ agent: 'workflow', before: 'button' }),
    refused: asked({ agent: 'workflow', before: 'stale-button' }),
  },
  judge: {
    'LIB-STALE': ofRefused((refused) =>
      notAgain(refused, 'the superseded button', (again, first) => buttonOf(again) === buttonOf(first)),
    ),
    'LIB-NO-FALSE-REPLY': noReply,
    'LIB-SENT-AGAIN': ofRefused(advised),
  },
})

function buttonOf(exchange: Exchange): string {
  const body = sentJson(exchange)
  return canonical(isMembers(body) ? (body['interaction'] ?? null) : null)
}

const seconds = 2

export const limited = clientScenario({
  title: 'what was refused for its rate is sent again after the wait that was told, or not at all',
  acts: { served: asked(), refused: refuses('RATE_LIMITED', 1, { retryAfterSeconds: seconds }) },
  judge: {
    // Half of it is no more than a guess at it; the rest is for clocks that go a little wrong.
    'LIB-RATE-WAIT': ofRefused((refused) => waited(refused, { ms: 500 * seconds, short: 950 * seconds })),
    'LIB-NO-FALSE-REPLY': noReply,
  },
})

export const retryAfter = clientScenario({
  title: 'the library tells how long to wait',
  concerns: 'library',
  acts: { served: asked(), refused: refuses('RATE_LIMITED', ever, { retryAfterSeconds: seconds }) },
  judge: {
    'LIB-RATE-SECONDS': ofRefused(tellsSeconds),
  },
})

function tellsSeconds(refused: readonly Exchange[], context: Context): Judgement {
  if (refused.some(answeredWhole)) return notApplicable('it waited by itself, and was answered')
  const told = toldIn(context, 'refused', 'error').at(-1)?.error
  if (!told) return inconclusive('the application tells of no error: `touchstone {"saw":"error",…}`')
  const said = told['retryAfterSeconds']
  const got = JSON.stringify(said) ?? 'no such member'
  return check(said === seconds, `\`retryAfterSeconds\`: ${seconds}`, got, refused.at(-1))
}

export const streamRetryAfter = clientScenario({
  title: 'the library tells how long to wait of a stream that was refused',
  concerns: 'library',
  acts: {
    served: streaming(),
    refused: streaming({
      networkFaults: [
        { times: ever, do: { is: 'refuse', code: 'RATE_LIMITED', retryAfterSeconds: seconds } },
      ],
    }),
  },
  judge: { 'LIB-RATE-SECONDS': ofRefused(tellsSeconds) },
})

/** Tries with the same credential; beyond that nobody is helped by one more. */
const mostTries = 8

/** Refused for who asks: the same credential each time, or none any more. */
function notWorkedAround(refused: readonly Exchange[], context: Context): Judgement {
  const [first, ...later] = asking(refused)
  if (!first) return inconclusive('it sent nothing')
  const [claim] = finishesIn(context, 'refused')
  if (claim) return broken('a refusal that reaches the caller', 'it was told as a reply', first)
  const other = later.find((one) => credentialOf(one) !== credentialOf(first) || showsKey(one, first))
  if (other) return broken('the one credential that it was given', 'another was tried', other)
  if (sentTo(refused, 'chat').length > mostTries)
    return weak(`no more than ${mostTries} tries`, `${sentTo(refused, 'chat').length}`, refused.at(-1))
  const told = failuresIn(context, 'refused').length > 0
  return { is: 'pass', ...(told ? {} : { note: 'what the caller is told is not told' }) }
}

/** The key stands in a place where it did not stand at first. */
function showsKey(later: Exchange, first: Exchange): boolean {
  const key = keyOf(first)
  const places = ({ request }: Exchange): string =>
    [request.path, ...request.headers.filter(([, value]) => value.includes(key)).map(([name]) => name)]
      .map((place) => (place.includes(key) ? 'address' : place.toLowerCase()))
      .filter((place) => !place.startsWith('/'))
      .sort()
      .join()
  return key !== '' && places(later) !== places(first)
}

function refusedWho(title: string, stage: Stage): ClientScenario {
  return clientScenario({
    title,
    acts: { served: asked(), refused: asked(stage) },
    judge: { 'LIB-REFUSED': ofRefused(notWorkedAround), 'LIB-NO-FALSE-REPLY': noReply },
  })
}

export const unknownKey = refusedWho('a key that is not valid any more is refused, and that is that', {
  apiKey: 'revoked',
})
export const missingScope = refusedWho('a key without the scope is refused, and that is that', {
  apiKey: 'noChat',
})
export const disallowed = refusedWho('an agent that the plan does not allow is refused, and that is that', {
  agent: 'forbidden',
})

/** The turn may have run: whoever sends it again sends the same one. */
function failing(title: string, code: RefusalName): ClientScenario {
  return clientScenario({
    title,
    acts: { served: asked(), refused: refuses(code, 1) },
    judge: { 'LIB-SENT-AGAIN': ofRefused(sentAlike), 'LIB-NO-FALSE-REPLY': noReply },
  })
}

export const unavailable = failing(
  'a service that is unavailable is asked for the same turn again',
  'UNAVAILABLE',
)
export const serverError = failing(
  'after a server error it is the same turn that is sent again',
  'SERVER_ERROR',
)
