/** Logs of deliveries that forget, are wrong or disclose too much. */
import { fault, type Fault } from '../../modification/modification.ts'
import { also, logAdds, logSays, onManaged } from '../../modification/webhook-changes.ts'

export const webhookLogFaults = {
  'log-empty': fault({
    title: 'The log has no entries.',
    breaks: ['LOG-READ'],
    rules: () => ({ logFacts: () => [] }),
  }),
  'log-forgets-failures': fault({
    title: 'The log has those deliveries only that succeeded.',
    breaks: ['LOG-READ'],
    rules: (rules) => ({
      logFacts: (delivery) => rules.logFacts(delivery).filter(({ success }) => success),
    }),
  }),
  'log-forgets-unreachable': fault({
    title: 'The log has no entry of a delivery that met nobody at any attempt.',
    breaks: ['ATT-FAILED'],
    rules: (rules) => ({
      logFacts: (delivery) =>
        delivery.attempts.some(({ outcome }) => outcome !== 'unreachable') ? rules.logFacts(delivery) : [],
    }),
  }),
  'log-of-failures-only': fault({
    title: 'The log has those deliveries only that failed.',
    breaks: ['LOG-READ'],
    rules: (rules) => ({
      logFacts: (delivery) => rules.logFacts(delivery).filter(({ success }) => !success),
    }),
  }),
  'log-breaks-down-on-failures': fault({
    title: 'The log of a webhook cannot be read once a delivery has failed.',
    breaks: ['LOG-READ'],
    reply: (reply, _call, { rules, outbox }) => {
      const { operation, webhook = '' } = reply.about
      const hasFailed = (): boolean => outbox.deliveriesOf(webhook).some(({ state }) => state === 'failed')
      return reply.kind === 'json' && operation === 'webhook-logs' && reply.status === 200 && hasFailed()
        ? { ...reply, status: 500, body: rules.errorLayout(null, 'Something went wrong.') }
        : reply
    },
  }),
  'log-without-event': fault({
    title: 'An entry of the log does not name the event.',
    breaks: ['LOG-EVENT'],
    rules: logSays((facts) => ({ ...facts, event: 'webhook.delivery' })),
  }),
  'log-time-in-1970': fault({
    title: 'The times of the log are seconds that were taken for milliseconds.',
    breaks: ['LOG-EVENT'],
    rules: logSays((facts) => ({ ...facts, at: facts.at / 1000 })),
  }),
  'log-status-always-200': fault({
    title: 'The log says 200, whatever the endpoint answered.',
    breaks: ['LOG-STATUS'],
    rules: logSays((facts) => ({ ...facts, status: facts.status === null ? null : 200 })),
  }),
  'log-says-200-of-failures': fault({
    title: 'The log says 200 of a delivery that the endpoint refused.',
    breaks: ['LOG-STATUS'],
    rules: logSays((facts) => ({
      ...facts,
      status: facts.status === null || facts.success ? facts.status : 200,
    })),
  }),
  'log-without-status-of-failures': fault({
    title: 'The log has no status of a delivery that the endpoint refused.',
    breaks: ['LOG-STATUS'],
    rules: logSays((facts) => ({ ...facts, status: facts.success ? facts.status : null })),
  }),
  'log-without-response-time': fault({
    title: 'An entry of the log has no response time.',
    breaks: ['LOG-TIME'],
    rules: logSays((facts) => ({ ...facts, tookMs: null })),
  }),
  'log-response-time-negative': fault({
    title: 'The response time in the log is measured backwards.',
    breaks: ['LOG-TIME'],
    rules: logSays((facts) => ({ ...facts, tookMs: -1 - (facts.tookMs ?? 0) })),
  }),
  'log-time-of-successes-only': fault({
    title: 'The log has the response time of deliveries only that succeeded.',
    breaks: ['LOG-TIME'],
    rules: logSays((facts) => ({ ...facts, tookMs: facts.success ? facts.tookMs : null })),
  }),
  'log-always-success': fault({
    title: 'The log takes every delivery for a success.',
    breaks: ['ATT-FAILED', 'LOG-SUCCESS'],
    rules: logSays((facts) => ({ ...facts, success: true })),
  }),
  'log-answered-is-success': fault({
    title: 'The log takes any answer of an endpoint for a success.',
    breaks: ['ATT-FAILED', 'LOG-SUCCESS'],
    rules: logSays((facts) => ({ ...facts, success: facts.status !== null })),
  }),
  'log-without-retries': fault({
    title: 'The log counts no retries.',
    breaks: ['LOG-RETRIES'],
    rules: logSays((facts) => ({ ...facts, retries: 0 })),
  }),
  'log-counts-what-is-left': fault({
    title: 'The log counts the retries that were left.',
    breaks: ['LOG-RETRIES'],
    rules: logSays((facts) => ({ ...facts, retries: 2 - facts.retries })),
  }),
  'log-shows-secret': fault({
    title: 'Entries of the log have the secret.',
    breaks: ['LOG-NO-SECRET'],
    rules: logAdds((_facts, { id, secret }) => ({ webhook: { id, secret_key: secret } })),
  }),
  'log-shows-secret-beside-entries': fault({
    title: 'The log says of which webhook it is, with its secret.',
    breaks: ['LOG-NO-SECRET'],
    ...onManaged('webhook-logs', (body, { params }, { webhooks }) => {
      const webhook = webhooks.get(params['webhookId'] ?? '')
      return webhook ? also(body, { webhook: { id: webhook.id, secret_key: webhook.secret } }) : body
    }),
  }),
  'log-shows-secret-of-failures': fault({
    title: 'The log says of what failed with which secret it was signed.',
    breaks: ['LOG-NO-SECRET'],
    rules: logAdds(({ success }, { secret }) => ({ debug: success ? '' : `signed with ${secret}` })),
  }),
} as const satisfies Record<string, Fault>
