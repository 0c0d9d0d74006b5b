/** Logs of deliveries that forget, are wrong or disclose too much. */
import { fault, type Fault } from '../../modification/modification.ts'
import { logAdds, logSays } from '../../modification/webhook-changes.ts'

export const webhookLogFaults = {
  'log-empty': fault({
    title: 'The log has no entries.',
    breaks: ['LOG-READ'],
    rules: () => ({ logFacts: () => [] }),
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
  'log-response-time-negative': fault({
    title: 'The response time in the log is measured backwards.',
    breaks: ['LOG-TIME'],
    rules: logSays((facts) => ({ ...facts, tookMs: -1 - (facts.tookMs ?? 0) })),
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
} as const satisfies Record<string, Fault>
