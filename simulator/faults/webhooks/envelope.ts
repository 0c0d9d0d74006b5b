/** Deliveries whose body is not the envelope that was promised. */
import type { Json } from '../../json.ts'
import { memberText } from '../../modification/changes.ts'
import { withEnvelope, written } from '../../modification/webhook-changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'

/** Changes the time; `at` is that of a plain envelope. */
const timestamp = (change: (at: string) => Json) =>
  withEnvelope((envelope) => ({ ...envelope, timestamp: change(memberText(envelope['timestamp'])) }))

export const envelopeFaults = {
  'body-twice-encoded': fault({
    title: 'The body is a JSON text that holds the envelope as JSON.',
    breaks: ['DLV-BODY'],
    rules: written((_envelope, plain) =>
      Buffer.from(JSON.stringify(Buffer.from(plain).toString('utf8')), 'utf8'),
    ),
  }),
  'sample-of-no-event': fault({
    title: 'A test is of an event of its own, test.ping.',
    breaks: ['DLV-EVENT-TYPE'],
    rules: () => ({ testEvent: () => 'test.ping' }),
  }),
  'time-without-zone': fault({
    title: 'A timestamp does not say of which zone it is.',
    breaks: ['DLV-TIMESTAMP'],
    rules: timestamp((at) => at.replace('Z', '')),
  }),
  'payload-as-text': fault({
    title: 'The payload is a text that holds JSON.',
    breaks: ['DLV-PAYLOAD'],
    rules: withEnvelope((envelope) => ({ ...envelope, payload: JSON.stringify(envelope['payload']) })),
  }),
  'live-flag-beside-payload': fault({
    title: 'Every live delivery says beside its payload that it is no test.',
    breaks: ['DLV-TEST-FLAG'],
    rules: withEnvelope((envelope, { test }) => (test ? envelope : { ...envelope, isTest: false })),
  }),
  'retry-without-payload': fault({
    title: 'The payload of a retry is empty.',
    breaks: ['DLV-PAYLOAD'],
    interpretations: { 'GAP-ATTEMPT-BODY': 'fresh' },
    rules: (was) => {
      const made = new WeakSet<object>()
      return withEnvelope((envelope, occurrence) => {
        const isRetry = made.has(occurrence)
        made.add(occurrence)
        return isRetry ? { ...envelope, payload: {} } : envelope
      })(was)
    },
  }),
} as const satisfies Record<string, Fault>
