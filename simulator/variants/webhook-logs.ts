/** Logs of deliveries that say what they have to in an unusual way. */
import type { Json, JsonObject } from '../json.ts'
import { memberText } from '../modification/changes.ts'
import type { WebhookDelivery } from '../tenant/webhooks/delivery.ts'
import { variant, type Variant } from '../modification/modification.ts'

const millisecondsOf = (time: Json | undefined): number => new Date(memberText(time)).getTime()

const logged = (change: (entry: JsonObject) => JsonObject): Pick<Variant, 'rules'> => ({
  rules: (rules) => ({
    logEntry: (facts) => {
      const entry = rules.logEntry(facts)
      return { ...entry, ...change(entry) }
    },
  }),
})

/** As it was when its last attempts had not begun yet. */
function before({ state, attempts, ...rest }: WebhookDelivery, at: number): WebhookDelivery {
  const known = attempts.filter((attempt) => attempt.at <= at)
  return { ...rest, attempts: known, state: known.length < attempts.length ? 'waiting' : state }
}

export const webhookLogVariants = {
  'log-completed-late': variant({
    title:
      'The entry of a delivery is written at its first attempt, and each attempt shows in it two seconds later.',
    allowed: 'When an entry is written is not stated.',
    rules: (rules) => ({
      logged: (deliveries, state) =>
        rules.logged(
          deliveries.map((delivery) => before(delivery, state.clock.date() - 2_000)),
          state,
        ),
      logFacts: ({ state, occurrence, attempts, ...rest }) => {
        const facts = rules.logFacts({ state, occurrence, attempts, ...rest })
        if (facts.length > 0) return facts
        const { event, at } = occurrence
        const retries = Math.max(0, attempts.length - 1)
        return [{ event, at, status: null, tookMs: null, success: false, retries }]
      },
    }),
  }),
  'log-by-id': variant({
    title: 'The entries of the log are members of an object, each under an id.',
    allowed: 'How the log route answers is not shown.',
    rules: () => ({
      logList: (entries) => ({
        logs: Object.fromEntries(entries.map((entry, at) => [`entry_${at}`, entry])),
      }),
    }),
  }),
  'log-in-other-forms': variant({
    title:
      'The log has events in capitals, times as HTTP dates, durations in ISO 8601, and of a failure no success.',
    allowed: 'The values of a log entry are not shown.',
    ...logged(({ success, ...entry }) => ({
      event_type: memberText(entry['event_type']).toUpperCase().replaceAll('.', '_'),
      timestamp: new Date(millisecondsOf(entry['timestamp'])).toUTCString(),
      response_time_ms:
        entry['response_time_ms'] === null ? null : `PT${Number(entry['response_time_ms']) / 1000}S`,
      success: success === true ? true : null,
    })),
  }),
  'log-two-seconds-late': variant({
    title: 'The log has a delivery two seconds after its last attempt.',
    allowed: 'That what was delivered shows at once in the log is not stated.',
    rules: (rules) => ({
      logged: (deliveries, state) =>
        rules.logged(
          deliveries.filter(({ attempts }) => (attempts.at(-1)?.at ?? 0) <= state.clock.date() - 2_000),
          state,
        ),
    }),
  }),
  'log-in-words': variant({
    title: 'The log has statuses, times and outcomes as words.',
    allowed: 'The values of a log entry are not shown.',
    ...logged((entry) => ({
      status_code: entry['status_code'] === null ? null : `HTTP ${memberText(entry['status_code'])}`,
      response_time_ms:
        entry['response_time_ms'] === null ? null : `${memberText(entry['response_time_ms'])} ms`,
      success: entry['success'] === true ? 'delivered' : 'failed',
    })),
  }),
  'log-in-numbers': variant({
    title: 'The log has times in milliseconds since 1970 and counts the first attempt.',
    allowed: 'How a log entry says its time and counts its retries is not shown.',
    ...logged((entry) => ({
      timestamp: millisecondsOf(entry['timestamp']),
      retry_count: Number(entry['retry_count']) + 1,
    })),
  }),
  'log-talkative': variant({
    title: 'Entries of the log have members that nobody asked for.',
    allowed: 'Members beside those that are listed are not ruled out.',
    ...logged((entry) => ({
      id: 200,
      request: { method: 'POST', headers: { 'content-type': 'application/json' } },
      response: { body: '', headers: [] },
      attempts: [{ status: entry['status_code'] ?? 503 }],
      error: entry['success'] === true ? null : 'It failed.',
    })),
  }),
} as const satisfies Record<string, Variant>
