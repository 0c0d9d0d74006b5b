/** Deliveries whose method, headers or ids are not those that were promised. */
import { identifiersOf } from '../../../spec/identifiers.ts'
import { isRetry, onAttempt, withHeader, withoutFieldRule } from '../../modification/webhook-changes.ts'
import type { HeaderLine } from '../../edge/reply.ts'
import { fault, type Fault } from '../../modification/modification.ts'

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

export const deliveryHeaderFaults = {
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
} as const satisfies Record<string, Fault>
