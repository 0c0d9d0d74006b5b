import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, test } from 'vitest'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator } from '../../simulator/index.ts'
import { areaOf, type Area, type ClauseId } from '../../spec/index.ts'
import {
  chatScenarios,
  ConfigurationError,
  serverScenarios,
  TargetUnreachable,
  type Finding,
  type RunOptions,
  type Target,
} from '../../suites/index.ts'
import { runSuite } from '../../suites/runner/drivers/server.ts'
import { operationScenarios } from '../../suites/operations/index.ts'
import { hurriedClock } from '../hurried-clock.ts'
import { idleCatalogue } from './null-operations.ts'
import { nullTarget } from './null-target.ts'
import { scenariosOf } from '../rooms.ts'
import { nullWebhooks } from './null-webhooks.ts'
import { recorder } from './recorder.ts'

/**
 * Servers that implement nothing. A check that passes against one of them can be green without anything
 * conformant being there. Entries here are the exceptions, each with the reason why it is one.
 */
const allowed: Readonly<Record<string, string>> = {
  'management/life/HOOK-CREATE': 'all that a creation has to show is an id and a secret',
  'management/life/HOOK-LIST': 'an answer may happen to be a list',
  'plans/webhook-settings/PLAN-WEBHOOKS':
    'a list, even an empty one, is all that shows of a plan that has webhooks',
  'discovery/list/OPS-LIST': 'the shape of the answer is not shown, so any list may be it',
  'billing/subscription/BILL-PLANS': 'nothing is shown of a plan, so any list may be one of plans',
}

const json = { 'content-type': 'application/json' }

/** Status, body, and the content type where it is not JSON. */
const answers: Readonly<Record<string, readonly [status: number, body?: string, type?: string]>> = {
  '404 with nothing': [404],
  '404 with a flat error': [404, '{"error":"NOT_FOUND"}'],
  '200 with nothing': [200],
  '200 with {}': [200, '{}'],
  '200 as an empty stream': [200, '', 'text/event-stream'],
  '200 with a list': [200, '[{"id":"a"}]'],
  '200 with a completed receipt': [200, '{"status":"completed","data":{}}'],
  '200 with a failed receipt': [
    200,
    '{"status":"failed","error":{"code":"OUTCOME_UNCERTAIN","resolution":"Wait."}}',
  ],
  '202 with an accepted receipt': [202, '{"status":"accepted","task_id":"t-1","state":"running"}'],
  '202 with a receipt that waits': [
    202,
    '{"status":"pending_approval","approval_id":"a-1","state":"pending"}',
  ],
  '201 like a creation, with an empty list': [
    201,
    '{"id":"wh_1","secret_key":"the-secret-of-all","webhooks":[]}',
  ],
  '400 with nothing': [400],
  '400 with every code': [400, '{"error":"IDEMPOTENCY_KEY_REQUIRED IDEMPOTENCY_CONFLICT"}'],
  '401 with a flat error': [401, '{"error":"no"}'],
  '409 with a code': [409, '{"error":"IDEMPOTENCY_CONFLICT"}'],
  '429 with a body': [429, '{"error":"slow down","retry_after_seconds":1,"limit":60,"remaining":0}'],
  '500 with nothing': [500],
}

const answering =
  ([status, body, type = 'application/json']: (typeof answers)[string]): RequestListener =>
  (_request, response) =>
    response.writeHead(status, body === undefined ? {} : { 'content-type': type }).end(body)

const reply =
  '{"response":"Hello.","conversation_id":"0b0e7a3e-52b1-4a53-9d0e-5b8f6d3a1c11","credits_used":1,"credits_remaining":9}'

const asStream = (done: string, token = 'Hello.'): string =>
  [
    { type: 'token', token },
    { type: 'done', ...JSON.parse(done) },
  ]
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join('')

interface Sent {
  message?: string
  stream?: boolean
}

async function sentIn(request: IncomingMessage): Promise<Sent> {
  try {
    return (JSON.parse(await text(request)) ?? {}) as Sent
  } catch {
    return {}
  }
}

const eventStream = { 'content-type': 'text/event-stream' }

/** A whole reply of chat each time, in the form that was asked for, and in every other respect the same. */
const asAsked =
  (headers: Readonly<Record<string, string>>, replyTo: (message: string) => string = () => reply) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { message = '', stream } = await sentIn(request)
    const whole = replyTo(message)
    if (stream) response.writeHead(200, { ...eventStream, ...headers }).end(asStream(whole, message))
    else response.writeHead(200, { ...json, ...headers }).end(whole)
  }

const wholeReplies: Readonly<
  Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>>
> = {
  'one stream': async (request, response) => {
    await text(request)
    response.writeHead(200, eventStream).end(asStream(reply))
  },
  'one reply': async (request, response) => {
    await text(request)
    response.writeHead(200, json).end(reply)
  },
  'one reply, in the form that is asked for': asAsked({}),
  'one reply that is always a replay': asAsked({ 'x-service-idempotent-replay': 'true' }),
  'its message, in one conversation': asAsked({}, (message) =>
    JSON.stringify({ ...JSON.parse(reply), response: message }),
  ),
}

let server: Server | undefined
async function open(listener: RequestListener): Promise<Target> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return nullTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

/** Answers once the request is there. */
function serve(listener: RequestListener): Promise<Target> {
  return open((request, response) => {
    request.resume()
    request.on('end', () => listener(request, response))
    request.on('error', () => undefined)
  })
}

/** A request without a message is refused, so that the run begins. `repeats`: the body sent is the response. */
function refusingNothing(listener: RequestListener, repeats = false): RequestListener {
  return (request, response) => {
    void text(request).then((body) => {
      if (body === '{}') response.writeHead(400, json).end('{"error":"NO"}')
      else listener(request, response)
      if (repeats && body !== '{}') response.end(body)
    })
  }
}

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
  server = undefined
})

/** Servers that do a part of it are asked for all of that part. */
const whole = (target: Target): Target => ({ ...target, profile: 'standard' })

async function passes(target: Target, options: Partial<RunOptions> = {}): Promise<readonly Finding[]> {
  // Nothing here is worth a wait: where a scenario pauses, it does so for a tenth of the time.
  const clock = hurriedClock(10)
  const { record } = await runSuite(target, {
    seed: 1,
    clock,
    ask: () => Promise.resolve(true),
    scenarios: serverScenarios,
    ...options,
  })
  expect(record.findings.length).toBeGreaterThan(15)
  expect(record.conformance).not.toBe('conformant')
  return record.findings.filter((finding) => finding.verdict === 'pass')
}

const operationsAlone = { scenarios: operationScenarios } as const

async function greens(target: Target, options?: Partial<RunOptions>): Promise<readonly string[]> {
  return (await passes(target, options)).map((finding) => finding.check)
}

describe('a server that implements nothing', () => {
  /** Whether nothing of the service responds, not even to a plain turn: the run ends before its first check. */
  const isElsewhere = ([words]: readonly [string, unknown]): boolean => /^(2|40[14])/.test(words)
  const always = Object.entries(answers).map(([words, answer]) => [words, answering(answer)] as const)
  test.for(always.filter(([words]) => !/^40[14]/.test(words)))(
    'that always answers %s, but refuses an empty body, passes no check',
    async ([, listener]) => {
      const passed = await greens(await open(refusingNothing(listener)))
      expect(passed.filter((check) => !(check in allowed))).toEqual([])
    },
  )

  test.for(always.filter(isElsewhere))('that always answers %s is not checked', async ([, listener]) => {
    await expect(runSuite(await serve(listener), { seed: 1 })).rejects.toBeInstanceOf(ConfigurationError)
  })

  // Nobody is signed in there, which operations with an owner need: they are not run either.
  test.for(always.filter(([words]) => !words.startsWith('401')))(
    'that always answers %s has no operations either',
    async ([, listener]) => {
      const bare = { ...(await serve(listener)), dialect: {}, profile: 'standard' } as const
      expect((await greens(bare, operationsAlone)).filter((check) => !(check in allowed))).toEqual([])
    },
  )

  test('that repeats what it was sent passes no check', async () => {
    const repeats: RequestListener = (_request, response) => response.writeHead(200, json)
    const target = await open(refusingNothing(repeats, true))
    expect((await greens(target)).filter((check) => !(check in allowed))).toEqual([])
  })

  test.for(Object.entries(wholeReplies))(
    'that answers everything with %s passes no check',
    async ([, answer]) => {
      const target = await open((request, response) => void answer(request, response))
      expect(await greens(target)).toEqual([])
    },
  )

  test('that never answers is unreachable', async () => {
    const target = await serve(() => undefined)
    await expect(runSuite(target, { seed: 1 })).rejects.toBeInstanceOf(TargetUnreachable)
  })

  test('that answers once and then hangs passes no check', async () => {
    let first = true
    const target = await serve((_request, response) => {
      if (first) response.writeHead(404).end()
      first = false
    })
    const impatient: Target = { ...target, timing: { ...target.timing, answerTimeoutMs: 50 } }
    expect(await greens(impatient)).toEqual([])
  })

  test('that listens on no port is unreachable', async () => {
    const target = await serve(() => undefined)
    const { port } = new URL(target.baseUrl)
    await new Promise<void>((resolve) => server?.close(() => resolve()))
    await expect(
      new Promise((resolve, reject) =>
        connect(Number(port), '127.0.0.1').once('connect', resolve).once('error', reject),
      ),
    ).rejects.toThrow('ECONNREFUSED')
    await expect(runSuite(target, { seed: 1 })).rejects.toBeInstanceOf(TargetUnreachable)
  })
})

/** What a recorder may pass: single answers that were real once, those that it never had, and those of two routes. */
const recorded: readonly RegExp[] = [
  /^streaming-events\//,
  /^workflow\//,
  /^walk\/(?:many-)?button-presses\//,
  /^credits\/exhausted\/CRED-REFUSAL-FREE$/,
  /^auth\/credentials\/AUTH-AGENT-UNKNOWN$/,
  /^auth\/other-keys\/(?:AUTH-AGENT-OWN|IDEM-OTHER-ACCOUNT)$/,
]

test('a server that repeats the first good reply of each route passes no check that compares two', async () => {
  const simulator = await createSimulator()
  try {
    const { baseUrl } = await open(recorder(simulator.url))
    const target = { ...simulatorTarget(simulator), baseUrl }
    const { record } = await runSuite(target, { seed: 1, scenarios: chatScenarios })
    const passed = record.findings.filter(({ verdict }) => verdict === 'pass').map(({ check }) => check)
    expect(passed.filter((one) => !recorded.some((pattern) => pattern.test(one)))).toEqual([])
    expect(passed.filter((one) => /IDEM-(?:STREAM-)?REPLAY-(?!PRES)|RACE|CARRIER|CONV-/.test(one))).toEqual(
      [],
    )
  } finally {
    await simulator.close()
  }
})

const ofDeliveries: readonly Area[] = ['webhook-events', 'delivery', 'attempts', 'signing', 'webhook-logs']

/** Clauses about deliveries that a creation shows, or an answer without any secret in it. */
const beside: readonly ClauseId[] = ['SIGN-SECRET-OWN', 'LOG-NO-SECRET']

/** Clauses that hold only where each delivery is made for its webhook. */
const made: readonly ClauseId[] = [
  'SIGN-VALUE',
  'SIGN-RAW',
  'SIGN-RETRY',
  'DLV-ID-UNIQUE',
  'DLV-ID-TEST',
  'DLV-CUSTOM-HEADERS',
  'DLV-CHATBOT',
  'DLV-TIMESTAMP',
  'EVT-SELECTED-ONLY',
  'ATT-SECOND-STATUS',
  'ATT-THIRD',
  'ATT-SAME-ID',
  'HOOK-UPDATE-HEADERS',
  'LOG-READ',
  'LOG-STATUS',
  'LOG-SUCCESS',
]

const wellFormed = {
  'content-type': 'application/json',
  'user-agent': 'Service-Webhooks/1.0',
  'x-service-event': 'leads.submit',
  'x-service-delivery-id': 'whd_1',
  'x-service-signature': `sha256=${'0'.repeat(64)}`,
}

test('a server that answers everything like a turn of chat passes no check of webhooks', async () => {
  const target = await serve((_request, response) => response.writeHead(200, json).end(reply))
  expect(await passes(whole(target), { scenarios: scenariosOf(['webhooks']) })).toEqual([])
})

describe('a server that manages webhooks', () => {
  async function passed(headers: Readonly<Record<string, string>> | null): Promise<readonly string[]> {
    const { listener, happen } = nullWebhooks(headers)
    const ask = (): Promise<boolean> => happen().then(() => true)
    const found = await passes(whole(await open(listener)), { scenarios: scenariosOf(['webhooks']), ask })
    return found.map(({ subject }) => subject)
  }

  test('and never delivers passes no check of a delivery, an event, an attempt, a signature or a log', async () => {
    const found = await passed(null)
    expect(found).toContain('HOOK-CREATE')
    const about = found.filter((one) => ofDeliveries.includes(areaOf[one as ClauseId]))
    expect(about.filter((one) => !beside.includes(one as ClauseId))).toEqual([])
  })

  test.for([
    ['with no header of the service', {}],
    ['that is well formed', wellFormed],
  ] as const)(
    'and sends everybody the same POST %s passes no check that distinguishes deliveries',
    async ([, headers]) => {
      const found = await passed(headers)
      expect(found).toContain('DLV-POST')
      expect(found.filter((one) => made.includes(one as ClauseId))).toEqual([])
    },
  )
})

/**
 * Clauses on what was done, or was not: each needs something that was seen to be done. EXEC-DRAFT is none of them,
 * because nothing has to show a draft, so that one that was not made cannot be reported.
 */
const effects: readonly ClauseId[] = [
  'EXEC-RETRY-ONE-RUN',
  'EXEC-RETRY-RACE',
  'EXEC-INPUT-INVALID',
  'RCPT-UNCERTAIN-ONE-RUN',
  'APPR-HELD',
  'APPR-APPROVED',
  'APPR-REJECTED',
  'APPR-DECISION-SHOWN',
  'UPL-SCOPE',
  'UPL-DOCUMENT-HELD',
  'UPL-DOCUMENT-PROCEEDS',
  'UPL-RETRY-ONCE',
]

test.for([
  ['by a target file', {}],
  ['by nothing', { dialect: {} }],
] as const)(
  'a catalogue, described %s, whose executions do nothing passes no check of what was done',
  async ([, change]) => {
    const target = { ...whole(await open(idleCatalogue)), ...change }
    const found = (await passes(target, operationsAlone)).map(({ subject }) => subject)
    expect(found).toContain('RCPT-ACCEPTED-TASK')
    expect(found.filter((one) => effects.includes(one as ClauseId))).toEqual([])
  },
)
