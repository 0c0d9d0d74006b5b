/**
 * Endpoints that are taken or delivered to and must not be. In development localhost is excused, and a machine has
 * few other blocked addresses of its own: faults that let something through do so in production, where only the name
 * localhost is let through by name.
 */
import { networkInterfaces } from 'node:os'
import { endpointProblem } from '../../webhooks/guard/addresses.ts'
import type { ManagementOperation } from '../../webhooks/management/management.ts'
import type { WebhookRules, GuardPolicy } from '../../rules/webhooks.ts'
import { fault, type Fault } from '../../modification/modification.ts'
import { withFieldRule } from '../../modification/webhook-changes.ts'

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

export const deliveryTargetFaults = {
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
  'mapped-address-let-through': fault({
    title: 'A blocked address is let through when it is written as IPv4-mapped.',
    breaks: ['TGT-SPELLING'],
    interpretations: inProduction,
    rules: (rules) => ({ guard: guarded(rules, '::ffff:127.0.0.0/104') }),
  }),
  'blocked-at-creation-only': fault({
    title: 'A blocked address is refused at creation and let through after an update.',
    breaks: ['TGT-INTERNAL', 'TGT-SPELLING', 'TGT-RESOLVED'],
    interpretations: inProduction,
    rules: (rules, state) => ({
      guard: guarded(rules, ...loopback),
      ...endpointsJudged((url) => endpointProblem(url, guarded(rules)), ['create'])(rules, state),
    }),
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
