/** Deliveries whose body is not the envelope that was promised. */
import { retiredWebhookEvent } from '../../../spec/index.ts'
import { isObject, type Json } from '../../json.ts'
import { memberText, withoutMembers } from '../../modification/changes.ts'
import { withEnvelope, written } from '../../modification/delivery-changes.ts'
import { fault, type Fault } from '../../modification/modification.ts'

/** Changes the time; `at` is that of a plain envelope. */
const timestamp = (change: (at: string) => Json) =>
  withEnvelope((envelope) => ({ ...envelope, timestamp: change(memberText(envelope['timestamp'])) }))

const inCode = (event: string): string => event.toUpperCase().replaceAll('.', '_')

export const envelopeFaults = {
  'body-in-array': fault({
    title: 'The body is an array with the envelope in it.',
    breaks: ['DLV-BODY'],
    rules: written((_envelope, plain) => Buffer.concat([Buffer.from('['), plain, Buffer.from(']')])),
  }),
  'body-twice-encoded': fault({
    title: 'The body is a JSON text that holds the envelope as JSON.',
    breaks: ['DLV-BODY'],
    rules: written((_envelope, plain) =>
      Buffer.from(JSON.stringify(Buffer.from(plain).toString('utf8')), 'utf8'),
    ),
  }),
  'body-in-latin-1': fault({
    title: 'The body is written in Latin-1.',
    breaks: ['DLV-BODY'],
    rules: written((envelope) => Buffer.from(JSON.stringify(envelope), 'latin1')),
  }),
  'body-as-form': fault({
    title: 'The body is a form with the envelope in its only field.',
    breaks: ['DLV-BODY'],
    rules: written((envelope) =>
      Buffer.from(new URLSearchParams({ payload: JSON.stringify(envelope) }).toString()),
    ),
  }),
  'body-with-mark': fault({
    title: 'The body begins with a byte order mark.',
    breaks: ['DLV-BODY'],
    rules: written((_envelope, plain) => Buffer.concat([Buffer.from('\ufeff'), plain])),
  }),
  'sample-of-no-event': fault({
    title: 'A test is of an event of its own, test.ping.',
    breaks: ['DLV-EVENT-TYPE'],
    rules: () => ({ testEvent: () => 'test.ping' }),
  }),
  'sample-of-retired-event': fault({
    title: 'A test is of an event whose name was given up.',
    breaks: ['DLV-EVENT-TYPE'],
    rules: () => ({ testEvent: () => retiredWebhookEvent }),
  }),
  'event-as-the-code-calls-it': fault({
    title: 'The body and the log of a live delivery name its event as the code does, such as LEADS_SUBMIT.',
    breaks: ['DLV-EVENT-TYPE', 'DLV-EVENT-HEADER'],
    rules: (was) => ({
      ...withEnvelope((envelope, { event, test }) =>
        test ? envelope : { ...envelope, eventType: inCode(event) },
      )(was),
      logFacts: (delivery) =>
        was.logFacts(delivery).map((facts) => ({
          ...facts,
          event: delivery.occurrence.test ? facts.event : inCode(facts.event),
        })),
    }),
  }),
  'chatbot-as-number': fault({
    title: 'chatbotId is a number by which the service knows its agent.',
    breaks: ['DLV-CHATBOT'],
    rules: withEnvelope((envelope) => ({ ...envelope, chatbotId: 4711 })),
  }),
  'sample-of-prefixed-chatbot': fault({
    title: 'chatbotId of a test has a prefix before the id of the agent.',
    breaks: ['DLV-CHATBOT'],
    rules: withEnvelope((envelope, { agent, test }) =>
      test ? { ...envelope, chatbotId: `agent_${agent}` } : envelope,
    ),
  }),
  'time-without-zone': fault({
    title: 'A timestamp does not say of which zone it is.',
    breaks: ['DLV-TIMESTAMP'],
    rules: timestamp((at) => at.replace('Z', '')),
  }),
  'time-in-zone': fault({
    title: 'A timestamp is of a zone two hours ahead of UTC.',
    breaks: ['DLV-TIMESTAMP'],
    rules: timestamp((at) => new Date(Date.parse(at) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')),
  }),
  'time-as-number': fault({
    title: 'A timestamp is a number of milliseconds.',
    breaks: ['DLV-TIMESTAMP'],
    rules: timestamp((at) => Date.parse(at)),
  }),
  'time-as-http-date': fault({
    title: 'A timestamp has the format of an HTTP date.',
    breaks: ['DLV-TIMESTAMP'],
    rules: timestamp((at) => new Date(at).toUTCString()),
  }),
  'payload-as-text': fault({
    title: 'The payload is a text that holds JSON.',
    breaks: ['DLV-PAYLOAD'],
    rules: withEnvelope((envelope) => ({ ...envelope, payload: JSON.stringify(envelope['payload']) })),
  }),
  'payload-in-list': fault({
    title: 'The payload is a list of one.',
    breaks: ['DLV-PAYLOAD'],
    rules: withEnvelope((envelope) => ({ ...envelope, payload: [envelope['payload'] ?? null] })),
  }),
  'sample-without-payload': fault({
    title: 'The payload of a test is null.',
    breaks: ['DLV-PAYLOAD'],
    rules: withEnvelope((envelope, { test }) => (test ? { ...envelope, payload: null } : envelope)),
  }),
  'payload-spread': fault({
    title: 'What belongs into the payload stands beside the event type.',
    breaks: ['DLV-PAYLOAD'],
    rules: withEnvelope(({ payload, ...envelope }) => ({
      ...(isObject(payload) ? withoutMembers(payload, '_test') : {}),
      ...envelope,
    })),
  }),
  'flag-beside-payload': fault({
    title: 'A test says so beside its payload.',
    breaks: ['DLV-TEST-FLAG'],
    rules: withEnvelope((envelope, { test }) => (test ? { ...envelope, _test: true } : envelope)),
  }),
  'live-flag-beside-payload': fault({
    title: 'Every live delivery says beside its payload that it is no test.',
    breaks: ['DLV-TEST-FLAG'],
    rules: withEnvelope((envelope, { test }) => (test ? envelope : { ...envelope, isTest: false })),
  }),
} as const satisfies Record<string, Fault>
