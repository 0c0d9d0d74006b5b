/** Deliveries that are formatted, extended or sent in an unusual way. */
import { connect } from 'node:tls'
import { isObject, type Json, type JsonObject } from '../json.ts'
import type { HeaderLine } from '../edge/reply.ts'
import { ordered } from '../edge/wire.ts'
import { isLoopback } from '../webhooks/guard/addresses.ts'
import { memberText } from '../modification/changes.ts'
import { onAttempt, withEnvelope, withHeader, written } from '../modification/webhook-changes.ts'
import { variant, type Variant } from '../modification/modification.ts'

const asText = (serialize: (envelope: JsonObject) => string) =>
  written((envelope) => Buffer.from(serialize(envelope), 'utf8'))

/** Every unit of every text as an escape, the names of members too. */
function escaped(value: Json): string {
  if (typeof value === 'string') {
    const units = value.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
    return `"${units.map((digits) => String.raw`\u${digits}`).join('')}"`
  }
  if (Array.isArray(value)) return `[${value.map(escaped).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, member]) => `${escaped(name)}:${escaped(member)}`)
    .join(',')}}`
}

const timestamp = (format: (at: string) => string) =>
  withEnvelope((envelope) => ({ ...envelope, timestamp: format(memberText(envelope['timestamp'])) }))

const named = (rename: (name: string) => string) =>
  onAttempt(({ headers }) => ({ headers: headers.map(([name, value]): HeaderLine => [rename(name), value]) }))

function shakeHands(host: string, port: number): void {
  const socket = connect({ host, port })
  const leave = (): void => void socket.destroy()
  socket.setTimeout(shakeMs, leave).on('error', leave).on('secureConnect', leave)
}
const shakeMs = 200

export const deliveryVariants = {
  'delivery-indented': variant({
    title: 'The body of a delivery is indented, with CRLF between its lines.',
    allowed: 'JSON allows blanks and line ends between its tokens.',
    rules: asText((envelope) => JSON.stringify(envelope, null, 2).replaceAll('\n', '\r\n')),
  }),
  'delivery-with-line-end': variant({
    title: 'The body of a delivery ends with a line feed, which is signed with it.',
    allowed: 'JSON allows blanks after its value, and what is signed is what is sent.',
    rules: asText((envelope) => `${JSON.stringify(envelope)}\n`),
  }),
  'delivery-members-reversed': variant({
    title: 'The members of a delivery come in reverse order, the payload first.',
    allowed: 'JSON objects are unordered.',
    rules: asText((envelope) => JSON.stringify(ordered(envelope, 'reversed'))),
  }),
  'delivery-all-escaped': variant({
    title: 'Every character of every text of a delivery is written as an escape.',
    allowed: 'JSON strings are equal however their characters are escaped.',
    rules: asText(escaped),
  }),
  'delivery-type-with-charset': variant({
    title: 'The content type of a delivery has a charset and capital letters.',
    allowed: 'A media type is compared without case, and parameters may follow it.',
    ...withHeader('content-type', () => 'Application/JSON; charset=utf-8'),
  }),
  'delivery-headers-in-capitals': variant({
    title: 'Header names of deliveries are in capitals.',
    allowed: 'HTTP compares header names without case.',
    ...named((name) => name.toUpperCase()),
  }),
  'delivery-headers-mixed': variant({
    title: 'Header names of deliveries have a capital at every other letter.',
    allowed: 'HTTP compares header names without case.',
    ...named((name) =>
      name.replaceAll(/./g, (letter, at: number) => (at % 2 ? letter.toLowerCase() : letter.toUpperCase())),
    ),
  }),
  'delivery-further-headers': variant({
    title: 'Deliveries carry trace headers, the number of the attempt and a time, before the others.',
    allowed: 'Headers beside those that are shown are not ruled out.',
    ...onAttempt(({ headers }, { attempt }, { vendor }) => ({
      headers: [
        ['traceparent', '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
        ['Accept', '*/*'],
        [`x-${vendor}-attempt`, String(attempt)],
        [`x-${vendor}-timestamp`, '1893456000'],
        ...headers,
      ],
    })),
  }),
  'delivery-headers-reversed': variant({
    title: 'The headers of a delivery come in reverse order, the custom ones first.',
    allowed: 'Headers of different names have no order.',
    ...onAttempt(({ headers }) => ({ headers: headers.toReversed() })),
  }),
  'delivery-alone-on-connection': variant({
    title: 'Every attempt comes on a connection of its own.',
    allowed: 'HTTP lets a client close a connection after any answer.',
    ...onAttempt(({ headers }) => ({ headers: [...headers, ['Connection', 'close']] })),
  }),
  'delivery-in-chunks': variant({
    title: 'The body of a delivery comes in chunks, without a length before it.',
    allowed: 'HTTP lets a body be sent in chunks.',
    ...onAttempt(() => ({ inChunks: true })),
  }),
  'delivery-further-members': variant({
    title: 'The envelope has an id, a version and diagnostics beside its four members.',
    allowed: 'Members beside those that are shown are not ruled out.',
    rules: withEnvelope((envelope) => ({
      id: 'evt_1',
      apiVersion: 1.5,
      ...envelope,
      diagnostics: { region: null, queuedMs: 0.25, tags: [] },
    })),
  }),
  'delivery-large': variant({
    title: 'A payload has a member of twenty thousand characters.',
    allowed: 'The size of a payload is not limited.',
    rules: withEnvelope(({ payload, ...envelope }) => ({
      ...envelope,
      payload: { ...(isObject(payload) ? payload : {}), transcript: 'é'.repeat(20_000) },
    })),
  }),
  'delivery-time-with-offset': variant({
    title: 'A timestamp says +00:00 instead of Z.',
    allowed: 'Both are UTC in ISO 8601.',
    rules: timestamp((at) => at.replace('Z', '+00:00')),
  }),
  'delivery-time-in-microseconds': variant({
    title: 'A timestamp has microseconds.',
    allowed: 'ISO 8601 limits no fraction of a second.',
    rules: timestamp((at) => at.replace('Z', '042Z')),
  }),
  'delivery-time-in-seconds': variant({
    title: 'A timestamp has whole seconds.',
    allowed: 'ISO 8601 asks for no fraction of a second.',
    rules: timestamp((at) => at.replace(/\.\d+Z/, 'Z')),
  }),
  'delivery-ids-long': variant({
    title: 'Delivery ids have two hundred characters, signs among them.',
    allowed: 'Only how a delivery id begins is shown.',
    rules: (rules) => ({
      deliveryId: (test, random) => `${rules.deliveryId(test, random)}.${'~+='.repeat(60)}`.slice(0, 200),
    }),
  }),
  'delivery-ids-counted': variant({
    title: 'Delivery ids are counted, tests and live deliveries apart.',
    allowed: 'That ids are distinguished is all that is asked of them.',
    rules: () => {
      const made = { test: 0, whd: 0 }
      return {
        deliveryId: (test) => {
          const kind = test ? 'test' : 'whd'
          return `${kind}_${++made[kind]}`
        },
      }
    },
  }),
  'handshake-before-the-look': variant({
    title:
      'Where a name leads is looked at once a connection to it stands, and nothing is sent where it must not.',
    allowed: 'Delivery to internal networks is blocked; that nobody connects is not stated.',
    warns: ['TGT-RESOLVED'],
    delivery(message, _about, { rules }) {
      const { protocol, hostname, port } = new URL(message.url)
      const [host] = rules.guard.names[hostname] ?? []
      if (protocol === 'https:' && host !== undefined && isLoopback(host))
        shakeHands(host, Number(port || 443))
      return message
    },
  }),
  'agents-hand-on': variant({
    title: 'What happens to one agent is handed on to the others, which each report it as their own.',
    allowed: 'Which operation emits which event is not shown.',
    remember: ({ outbox, agents }) => {
      const emit = outbox.emit.bind(outbox)
      outbox.emit = (occurrence) => {
        const others = occurrence.test ? [] : [...agents.keys()].filter((id) => id !== occurrence.agent)
        for (const agent of others) emit({ ...occurrence, agent })
        return emit(occurrence)
      }
      return {}
    },
  }),
  'secrets-in-base64': variant({
    title: 'Secrets are 44 characters of base64.',
    allowed: 'The form of a secret is not shown.',
    rules: (rules) => ({
      newSecret: (random) =>
        Buffer.from(rules.newSecret(random).replace('whsec_', ''), 'hex').toString('base64'),
    }),
  }),
} as const satisfies Record<string, Variant>
