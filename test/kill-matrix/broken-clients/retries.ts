/** What clients get wrong when they try again, and when they should not. */
import { fails, differs, place, type BrokenClient, type Patch } from './patch.ts'

const { bytes, inProgress, key, limited, request } = place
const withKey = (made: string): string => `...(call.key === undefined ? {} : { 'idempotency-key': ${made} }),`
/** Headers are made for each try. */
const eachTime = (headers: string): string =>
  request.replace('headers', `headers: { ...headers, ${headers} }`)

/** The body is made anew for each try after the first. */
const eachBody = (members: string): readonly Patch[] => [
  [bytes, 'let body = call.body ? JSON.stringify(call.body) : null'],
  [
    'await sleep(waitMs)\n    }',
    `await sleep(waitMs)\n      if (call.body) body = JSON.stringify({ ...call.body, ${members} })\n    }`,
  ],
]

export const brokenRetries: Readonly<Record<string, BrokenClient>> = {
  'takes a new key while the turn is in progress': fails(
    'LIB-IN-PROGRESS LIB-SENT-AGAIN LIB-UPLOAD-KEYS LIB-WRITE-KEY',
    [request, eachTime("...(tries > 1 ? { 'idempotency-key': crypto.randomUUID() } : {})")],
  ),
  'takes a new key after an uncertain outcome': fails(
    'LIB-UNCERTAIN',
    [inProgress, `${inProgress}\n  if (code === 'OUTCOME_UNCERTAIN') return pauseMs`],
    [request, eachTime("...(uncertain ? { 'idempotency-key': crypto.randomUUID() } : {})")],
    ['for (let tries = 1; ; tries++) {', 'let uncertain = false\n  for (let tries = 1; ; tries++) {'],
    [
      'const waitMs = tries < mostTries',
      "uncertain = error instanceof Failure && error.details.code === 'OUTCOME_UNCERTAIN'\n      const waitMs = tries < mostTries",
    ],
  ),
  'takes a new key for a new message under a used one': fails(
    'LIB-IN-PROGRESS LIB-SENT-AGAIN LIB-UPLOAD-KEYS LIB-WRITE-KEY',
    [inProgress, `${inProgress}\n  if (code === 'IDEMPOTENCY_CONFLICT') return pauseMs`],
    [request, eachTime("...(tries > 1 && call.key ? { 'idempotency-key': `${call.key}-${tries}` } : {})")],
  ),
  'changes the message when it sends it again': fails(
    'LIB-IN-PROGRESS LIB-SENT-AGAIN',
    ...eachBody('message: `${String(call.body.message)} `'),
  ),
  'asks for less under the same key where it was refused': fails(
    'LIB-IN-PROGRESS LIB-SENT-AGAIN',
    [inProgress, `${inProgress}\n  if (status === 402 || code === 'IDEMPOTENCY_CONFLICT') return pauseMs`],
    ...eachBody("message: 'In short?'"),
  ),
  'sends a 429 again at once': fails('LIB-RATE-WAIT', [
    limited,
    `if (status === 429) return 0\n  ${limited}`,
  ]),
  'waits after a 429 as long as it likes': fails('LIB-RATE-WAIT', ['retryAfterSeconds * 1000 :', '50 :']),
  'takes seconds to wait for milliseconds': fails('LIB-RATE-WAIT', [
    'retryAfterSeconds * 1000',
    'retryAfterSeconds',
  ]),
  'says nothing of how long to wait': differs({ 'LIB-RATE-WAIT': 'warn' }, [
    "...(typeof seconds === 'number' ? { retryAfterSeconds: seconds } : {}),\n    body,",
    '',
  ]),
  'tries a 401 in another way': fails(
    'LIB-RATE-WAIT LIB-REFUSED',
    [limited, `if (status === 401) return 0\n  ${limited}`],
    [
      request,
      eachTime("...(tries > 1 ? { authorization: service.apiKey, 'x-api-key': service.apiKey } : {})"),
    ],
  ),
  'leaves a superseded button out and sends the rest': differs({ 'LIB-SENT-AGAIN': 'warn' }, [
    'send(service, turn(service, asked), json)',
    'send(service, turn(service, asked), json).catch((error) =>\n    asked.interaction ? send(service, turn(service, { ...asked, interaction: undefined as never }), json) : Promise.reject(error),\n  )',
  ]),
  'takes a new key when the connection broke': fails(
    'LIB-SENT-AGAIN LIB-UPLOAD-KEYS LIB-WRITE-KEY',
    [key, ''],
    [request, eachTime(withKey('broke ? crypto.randomUUID() : call.key').slice(0, -1))],
    ['for (let tries = 1; ; tries++) {', 'let broke = false\n  for (let tries = 1; ; tries++) {'],
    [
      'const waitMs = tries < mostTries',
      'broke = !(error instanceof Failure)\n      const waitMs = tries < mostTries',
    ],
  ),
  'sends a refusal again until it is taken': differs({ 'LIB-STALE': 'fail', 'LIB-NOT-PERMITTED': 'warn' }, [
    limited,
    'if (status !== 429) return pauseMs / 5',
  ]),
  'takes a new key after whatever went wrong': differs(
    {
      'LIB-IN-PROGRESS': 'fail',
      'LIB-SENT-AGAIN': 'fail',
      'LIB-STALE': 'fail',
      'LIB-UNCERTAIN': 'fail',
      'LIB-UPLOAD-KEYS': 'fail',
      'LIB-WRITE-KEY': 'fail',
      'LIB-NOT-PERMITTED': 'warn',
    },
    [limited, 'if (status !== 429) return pauseMs / 5'],
    [request, eachTime("...(tries > 1 ? { 'idempotency-key': crypto.randomUUID() } : {})")],
  ),
}
