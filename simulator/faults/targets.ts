/** Headers of deliveries, and the endpoints that they are sent to. */
import { networkInterfaces } from 'node:os'
import type { HeaderLine } from '../edge/reply.ts'
import { type Fault, fault } from '../modification/modification.ts'
import {
  isRetry,
  onAttempt,
  withFieldRule,
  withHeader,
  withoutFieldRule,
} from '../modification/webhook-changes.ts'
import type { GuardPolicy, WebhookRules } from '../rules/webhooks.ts'
import { endpointProblem } from '../webhooks/guard/addresses.ts'
import type { ManagementOperation } from '../webhooks/management/management.ts'
import { identifiersOf } from '../../spec/identifiers.ts'

/** Sends custom headers without a part of their values. */
const customCut =
  (part: RegExp): NonNullable<Fault['rules']> =>
  (rules) => ({
    deliveryHeaders: (delivery, ...rest) =>
      rules
        .deliveryHeaders(delivery, ...rest)
        .map((header) =>
          delivery.webhook.customHeaders.includes(header) ? [header[0], header[1].replace(part, '')] : header,
        ),
  })

/** A header as whoever reads it line by line takes it. */
const linesOf = ([name, value]: HeaderLine): readonly HeaderLine[] =>
  `${name}: ${value}`.split(/\r?\n/).map((line) => {
    const [before = '', ...after] = line.split(': ')
    return [before, after.join(': ')]
  })

type Judge = (url: string, rules: WebhookRules) => string | null

/** What stands in the place of the check of endpoints at a creation, at an update or at both. */
const endpointsJudged = (judge: Judge, at: readonly ('create' | 'update')[] = ['create', 'update']) =>
  withFieldRule('endpoint-allowed', ({ endpoint_url: url }, state, is) => {
    if (typeof url !== 'string') return null
    return at.includes(is) ? judge(url, state.rules) : state.rules.endpointProblem(url, state)
  })

/** Lets plain HTTP through, and is as strict as ever besides. */
const takesHttp: Judge = (url, { guard }) =>
  endpointProblem(url, { ...guard, checks: { ...guard.checks, https: false } })

/** Looks at nothing but the scheme. */
const takesAnyHost: Judge = (url, { guard }) =>
  url.startsWith('https:') && URL.canParse(url) ? null : endpointProblem(url, guard)

/** Looks at the endpoint once more when the work is done: the answer is a refusal. */
const refusedTooLate = (operation: ManagementOperation): Pick<Fault, 'reply'> => ({
  reply: (reply, _call, { webhooks, rules }) => {
    const webhook = webhooks.get(reply.about.webhook ?? '')
    const problem = webhook ? endpointProblem(webhook.endpointUrl, rules.guard) : null
    return reply.kind === 'json' && reply.about.operation === operation && problem !== null
      ? { ...reply, status: rules.webhookRefusal, body: rules.errorLayout(null, problem) }
      : reply
  },
})

const inProduction = { 'GAP-DEVELOPMENT': 'never' } as const

/** In production: our receiver at localhost is let through by its name, and so is what else is named. */
const guarded = ({ guard }: WebhookRules, ...allow: readonly string[]): GuardPolicy => ({
  ...guard,
  development: false,
  allow: [...guard.allow, 'localhost', ...allow],
})

/** Of this machine and nobody else's: a fault is to reach no stranger. */
const ownAddresses = (is: (address: string) => boolean): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((list) => (list ?? []).map(({ address }) => address))
    .filter(is)

const isPrivate = (address: string): boolean =>
  /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/.test(address)

/** For every notation of the loopback. */
const loopback = ['127.0.0.0/8', '::1', '::ffff:127.0.0.0/104'] as const

// In development localhost is excused, and a machine has few other blocked addresses of its own: faults that let
// something through do so in production, where only the name localhost is let through by name.
export const targetFaults = {
  'delivered-by-put': fault({
    title: 'Deliveries come as PUT.',
    breaks: ['DLV-POST'],
    ...onAttempt(() => ({ method: 'PUT' })),
  }),
  'headers-cut-at-line-ends': fault({
    title: 'A custom header with a line end in it is sent as the lines that it makes.',
    breaks: ['DLV-HEADER-LINES'],
    rules: withoutFieldRule('headers-names', 'headers-values'),
    delivery: (message) => ({ ...message, headers: message.headers.flatMap(linesOf) }),
  }),
  'delivered-as-text': fault({
    title: 'A delivery has the content type text/plain.',
    breaks: ['DLV-CONTENT-TYPE'],
    ...withHeader('content-type', () => 'text/plain; charset=utf-8'),
  }),
  'talkative-user-agent': fault({
    title: 'An address is appended to the user agent of deliveries.',
    breaks: ['DLV-USER-AGENT'],
    ...withHeader('user-agent', (value) => `${value} (+https://example.com/webhooks)`),
  }),
  'event-header-of-another-vendor': fault({
    title: "The name of the event header has another vendor's word in it.",
    breaks: ['DLV-EVENT-HEADER'],
    ...onAttempt(({ headers }, _about, { identifiers }) => ({
      headers: headers.map(([name, value]) => [
        name === identifiers.eventHeader ? identifiersOf('rival').eventHeader : name,
        value,
      ]),
    })),
  }),
  'bare-delivery-ids': fault({
    title: 'The id of a live delivery has no prefix.',
    breaks: ['DLV-ID-LIVE'],
    rules: (rules) => ({
      deliveryId: (test, random) => rules.deliveryId(test, random).replace('whd_', ''),
    }),
  }),
  'samples-with-live-ids': fault({
    title: 'A test has the id of a live delivery.',
    breaks: ['DLV-ID-TEST'],
    rules: (rules) => ({ deliveryId: (_test, random) => rules.deliveryId(false, random) }),
  }),
  'one-id-per-webhook': fault({
    title: 'Every test of a webhook has the same id.',
    breaks: ['DLV-ID-UNIQUE'],
    rules: (rules) => ({
      attemptId: (delivery, number) =>
        delivery.occurrence.test ? `test_${delivery.webhook.id}` : rules.attemptId(delivery, number),
    }),
  }),
  'ids-counted-per-webhook': fault({
    title: 'Delivery ids are counted, and each webhook begins at 1.',
    breaks: ['DLV-ID-UNIQUE'],
    rules: () => {
      const counts = new WeakMap<object, number>()
      const ids = new WeakMap<object, string>()
      return {
        attemptId: (delivery) => {
          const count = (counts.get(delivery.webhook) ?? 0) + 1
          const id = ids.get(delivery) ?? `${delivery.occurrence.test ? 'test' : 'whd'}_${count}`
          if (!ids.has(delivery)) counts.set(delivery.webhook, count)
          ids.set(delivery, id)
          return id
        },
      }
    },
  }),
  'custom-headers-once': fault({
    title: 'Custom headers are sent with the first attempt only.',
    breaks: ['DLV-CUSTOM-HEADERS'],
    ...onAttempt(
      ({ headers }, { delivery: { webhook } }) => ({
        headers: headers.filter((header) => !webhook.customHeaders.includes(header)),
      }),
      isRetry,
    ),
  }),
  'custom-headers-cut': fault({
    title: 'The value of a custom header ends at its first semicolon.',
    breaks: ['DLV-CUSTOM-HEADERS'],
    rules: customCut(/;.*$/),
  }),
  'custom-headers-beside': fault({
    title: 'A custom header in capitals goes out beside the one of the service.',
    breaks: ['DLV-RESERVED-HEADERS'],
    ...onAttempt(({ headers }, { delivery: { webhook } }, { rules }) => ({
      headers: [
        ...headers,
        ...webhook.customHeaders.filter(
          ([name]) => rules.isReservedHeader(name) && name === name.toUpperCase(),
        ),
      ],
    })),
  }),
  'https-endpoint-refused': fault({
    title: 'Endpoints are refused whose host does not answer from where the service runs.',
    breaks: ['HOOK-CREATE', 'HOOK-CREATE-EVENTS', 'TGT-HTTPS'],
    rules: endpointsJudged((url, { guard }) =>
      url.startsWith('https:') ? 'The endpoint does not answer.' : endpointProblem(url, guard),
    ),
  }),
  'plain-http-taken': fault({
    title: 'A webhook is created with a plain HTTP endpoint.',
    breaks: ['TGT-HTTP'],
    rules: endpointsJudged(takesHttp, ['create']),
  }),
  'plain-http-taken-by-update': fault({
    title: 'An endpoint can be changed to plain HTTP.',
    breaks: ['TGT-HTTP-UPDATE'],
    rules: endpointsJudged(takesHttp, ['update']),
  }),
  'any-text-as-endpoint': fault({
    title: 'An endpoint that is no URL is taken.',
    breaks: ['TGT-NOT-URL'],
    rules: endpointsJudged((url, { guard }) => (URL.canParse(url) ? endpointProblem(url, guard) : null)),
  }),
  'localhost-needs-https': fault({
    title: 'In development an endpoint at localhost has to be HTTPS.',
    breaks: ['TGT-LOCALHOST'],
    rules: endpointsJudged((url, { guard }) => endpointProblem(url, { ...guard, development: false })),
  }),
  'own-private-address-let-through': fault({
    title: 'The service lets deliveries to private addresses of its own machine through.',
    breaks: ['TGT-PRIVATE', 'TGT-SPELLING'],
    machine: 'private-address',
    rules: ({ guard }) => ({ guard: { ...guard, allow: [...guard.allow, ...ownAddresses(isPrivate)] } }),
  }),
  'blocked-endpoint-refused-and-kept': fault({
    title: 'A webhook with an endpoint at a blocked address is refused after it was made.',
    breaks: ['TGT-PRIVATE', 'TGT-INTERNAL', 'TGT-SPELLING'],
    rules: endpointsJudged(takesAnyHost, ['create']),
    ...refusedTooLate('webhook-create'),
  }),
  'internal-six-let-through': fault({
    title: 'Internal addresses are blocked in their IPv4 form only.',
    breaks: ['TGT-INTERNAL'],
    interpretations: inProduction,
    rules: (rules) => ({ guard: guarded(rules, '::1') }),
  }),
  'redirect-followed-anywhere': fault({
    title: 'A redirect is followed without another look at where it leads.',
    breaks: ['TGT-REDIRECT', 'TGT-RESOLVED'],
    interpretations: { ...inProduction, 'GAP-REDIRECT': 'followed' },
    rules: (rules, state) => ({
      guard: guarded(rules, ...loopback),
      ...endpointsJudged((url) => endpointProblem(url, guarded(rules)))(rules, state),
    }),
  }),
  'plain-http-in-place-of-https': fault({
    title: 'Where an attempt over HTTPS fails, the next one goes out over plain HTTP.',
    breaks: ['TGT-NO-DOWNGRADE'],
    delivery: (message, { attempt }) =>
      attempt > 1 ? { ...message, url: message.url.replace(/^https:/, 'http:') } : message,
  }),
} as const satisfies Record<string, Fault>
