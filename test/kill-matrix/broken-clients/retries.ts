/** What clients get wrong when they try again, and when they should not. */
import { place, type BrokenClient } from './patch.ts'

const { bytes, inProgress, key, limited, request } = place
const withKey = (made: string): string => `...(call.key === undefined ? {} : { 'idempotency-key': ${made} }),`
/** Headers are made for each try. */
const eachTime = (headers: string): string =>
  request.replace('headers', `headers: { ...headers, ${headers} }`)

export const brokenRetries: Readonly<Record<string, BrokenClient>> = {
  'sends every 409 again': {
    patches: [[inProgress, 'if (status === 409) return pauseMs']],
    found: { 'LIB-STALE': 'fail' },
  },
  'sends again at once while the turn is in progress': {
    patches: [[inProgress, inProgress.replace('pauseMs', '0')]],
    found: { 'LIB-IN-PROGRESS': 'fail' },
  },
  'takes a new key while the turn is in progress': {
    patches: [[request, eachTime("...(tries > 1 ? { 'idempotency-key': crypto.randomUUID() } : {})")]],
    found: {
      'LIB-IN-PROGRESS': 'fail',
      'LIB-SENT-AGAIN': 'fail',
      'LIB-UPLOAD-KEYS': 'fail',
      'LIB-WRITE-KEY': 'fail',
    },
  },
  'takes a new key after an uncertain outcome': {
    patches: [
      [inProgress, `${inProgress}\n  if (code === 'OUTCOME_UNCERTAIN') return pauseMs`],
      [request, eachTime("...(uncertain ? { 'idempotency-key': crypto.randomUUID() } : {})")],
      ['for (let tries = 1; ; tries++) {', 'let uncertain = false\n  for (let tries = 1; ; tries++) {'],
      [
        'const waitMs = tries < mostTries',
        "uncertain = error instanceof Failure && error.details.code === 'OUTCOME_UNCERTAIN'\n      const waitMs = tries < mostTries",
      ],
    ],
    found: { 'LIB-UNCERTAIN': 'fail' },
  },
  'takes a new key for a new message under a used one': {
    patches: [
      [inProgress, `${inProgress}\n  if (code === 'IDEMPOTENCY_CONFLICT') return pauseMs`],
      [request, eachTime("...(tries > 1 && call.key ? { 'idempotency-key': `${call.key}-${tries}` } : {})")],
    ],
    found: {
      'LIB-IN-PROGRESS': 'fail',
      'LIB-SENT-AGAIN': 'fail',
      'LIB-UPLOAD-KEYS': 'fail',
      'LIB-WRITE-KEY': 'fail',
    },
  },
  'changes the message when it sends it again': {
    patches: [
      [bytes, 'let body = call.body ? JSON.stringify(call.body) : null'],
      [
        'await sleep(waitMs)\n    }',
        'await sleep(waitMs)\n      if (call.body) body = JSON.stringify({ ...call.body, message: `${String(call.body.message)} ` })\n    }',
      ],
    ],
    found: { 'LIB-IN-PROGRESS': 'fail', 'LIB-SENT-AGAIN': 'fail' },
  },
  'asks for less under the same key where it was refused': {
    patches: [
      [bytes, 'let body = call.body ? JSON.stringify(call.body) : null'],
      [inProgress, `${inProgress}\n  if (status === 402 || code === 'IDEMPOTENCY_CONFLICT') return pauseMs`],
      [
        'await sleep(waitMs)\n    }',
        "await sleep(waitMs)\n      if (call.body) body = JSON.stringify({ ...call.body, message: 'In short?' })\n    }",
      ],
    ],
    found: { 'LIB-IN-PROGRESS': 'fail', 'LIB-SENT-AGAIN': 'fail' },
  },
  'leaves the conversation out when it sends again': {
    patches: [
      [bytes, 'let body = call.body ? JSON.stringify(call.body) : null'],
      [
        'await sleep(waitMs)\n    }',
        'await sleep(waitMs)\n      if (call.body) body = JSON.stringify({ ...call.body, conversation_id: undefined })\n    }',
      ],
    ],
    found: { 'LIB-IN-PROGRESS': 'fail', 'LIB-SENT-AGAIN': 'fail' },
  },
  'sends a 429 again at once': {
    patches: [[limited, `if (status === 429) return 0\n  ${limited}`]],
    found: { 'LIB-RATE-WAIT': 'fail' },
  },
  'waits after a 429 as long as it likes': {
    patches: [['retryAfterSeconds * 1000 :', '50 :']],
    found: { 'LIB-RATE-WAIT': 'fail' },
  },
  'takes seconds to wait for milliseconds': {
    patches: [['retryAfterSeconds * 1000', 'retryAfterSeconds']],
    found: { 'LIB-RATE-WAIT': 'fail' },
  },
  'says nothing of how long to wait': {
    patches: [["...(typeof seconds === 'number' ? { retryAfterSeconds: seconds } : {}),\n    body,", '']],
    found: { 'LIB-RATE-WAIT': 'warn' },
  },
  'tries a 403 without its key': {
    patches: [
      [limited, `if (status === 403) return 0\n  ${limited}`],
      [request, eachTime("...(tries > 1 ? { authorization: '' } : {})")],
    ],
    found: { 'LIB-NOT-PERMITTED': 'fail', 'LIB-REFUSED': 'fail' },
  },
  'tries a 401 in another way': {
    patches: [
      [limited, `if (status === 401) return 0\n  ${limited}`],
      [
        request,
        eachTime("...(tries > 1 ? { authorization: service.apiKey, 'x-api-key': service.apiKey } : {})"),
      ],
    ],
    found: { 'LIB-RATE-WAIT': 'fail', 'LIB-REFUSED': 'fail' },
  },
  'presses a superseded button again': {
    patches: [[inProgress, `${inProgress}\n  if (code === 'WORKFLOW_INTERACTION_STALE') return pauseMs`]],
    found: { 'LIB-STALE': 'fail' },
  },
  'leaves a superseded button out and sends the rest': {
    patches: [
      [
        'send(service, turn(service, asked), json)',
        'send(service, turn(service, asked), json).catch((error) =>\n    asked.interaction ? send(service, turn(service, { ...asked, interaction: undefined as never }), json) : Promise.reject(error),\n  )',
      ],
    ],
    found: { 'LIB-SENT-AGAIN': 'warn' },
  },
  'takes a new key when the connection broke': {
    patches: [
      [key, ''],
      [request, eachTime(withKey('broke ? crypto.randomUUID() : call.key').slice(0, -1))],
      ['for (let tries = 1; ; tries++) {', 'let broke = false\n  for (let tries = 1; ; tries++) {'],
      [
        'const waitMs = tries < mostTries',
        'broke = !(error instanceof Failure)\n      const waitMs = tries < mostTries',
      ],
    ],
    found: { 'LIB-SENT-AGAIN': 'fail', 'LIB-UPLOAD-KEYS': 'fail', 'LIB-WRITE-KEY': 'fail' },
  },
  'sends a refusal again until it is taken': {
    patches: [[limited, 'if (status !== 429) return pauseMs / 5']],
    found: { 'LIB-STALE': 'fail', 'LIB-NOT-PERMITTED': 'warn' },
  },
  'takes a new key after whatever went wrong': {
    patches: [
      [limited, 'if (status !== 429) return pauseMs / 5'],
      [request, eachTime("...(tries > 1 ? { 'idempotency-key': crypto.randomUUID() } : {})")],
    ],
    found: {
      'LIB-IN-PROGRESS': 'fail',
      'LIB-SENT-AGAIN': 'fail',
      'LIB-STALE': 'fail',
      'LIB-UNCERTAIN': 'fail',
      'LIB-UPLOAD-KEYS': 'fail',
      'LIB-WRITE-KEY': 'fail',
      'LIB-NOT-PERMITTED': 'warn',
    },
  },
}
