/** The signature is over the bytes as they came, and over nothing made from them. */
import { accepted, resting } from './answers.ts'
import { type Envelope, bearing, everyForm, textOf } from './delivery.ts'
import { each, exchangesIn } from './subject.ts'
import { forgedScenario, type Forge } from './forged-scenario.ts'
import { receiverScenario } from './receiver-scenario.ts'

type Write = (envelope: Envelope) => string

/** `{ "a" : 1 }`, with a line end behind it. */
const spaced: Write = (envelope) =>
  `${JSON.stringify(envelope, null, 1).replaceAll(/\n\s*/g, ' ').replaceAll('": ', '" : ')}\n`

const ascii = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

const withSpaces = (value: unknown): string =>
  JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, '').replaceAll(',"', ', "')

const encodings = {
  spaced,
  indented: (envelope) => JSON.stringify(envelope, null, '\t'),
  'with-line-ends': (envelope) => JSON.stringify(envelope, null, 2).replaceAll('\n', '\r\n'),
  escaped: (envelope) => ascii(JSON.stringify(envelope).replaceAll('/', String.raw`\/`)),
  // All that a receiver accepts that signs what Python writes anew.
  'as-json-dumps': (envelope) => ascii(withSpaces(envelope)),
  'in-another-order': (envelope) => JSON.stringify(Object.fromEntries(Object.entries(envelope).toReversed())),
} satisfies Record<string, Write>
type Encoding = keyof typeof encodings
const names = Object.keys(encodings) as Encoding[]

/** Characters that JSON can encode in more than one way. */
const awkward = { customerName: 'Zoë </b> 🎉' }

export const written = receiverScenario({
  title: 'a valid signature is accepted however the JSON is written',
  exchanges: ['before', ...names],
  requests: 1 + names.length,
  async deliver(t) {
    await t.deliver('before', t.genuine())
    for (const name of names) await t.deliver(name, t.genuine({ payload: awkward, write: encodings[name] }))
  },
  judge: {
    'RECV-RAW': (scenario) => {
      const all = exchangesIn(scenario, ['before', ...names])
      const taken = all.find((one) => accepted(one).is === 'pass') ?? scenario.before
      return resting([taken], () => each(all, accepted))
    },
  },
})

const numbers = { score: 1, price: 1000 }

export const figures = receiverScenario({
  title: 'a valid signature is accepted with 1.0, 1e3 and large numbers',
  exchanges: ['ordinary', 'with-fraction', 'with-exponent', 'beyond-double'],
  requests: 4,
  async deliver(t) {
    const replaced = (from: string, to: string) => ({
      payload: numbers,
      write: (envelope: Envelope) => JSON.stringify(envelope).replace(from, to),
    })
    await t.deliver('ordinary', t.genuine({ payload: numbers }))
    await t.deliver('with-fraction', t.genuine(replaced('"score":1', '"score":1.0')))
    await t.deliver('with-exponent', t.genuine(replaced('"price":1000', '"price":1e3')))
    await t.deliver('beyond-double', t.genuine(replaced('"price":1000', '"price":12345678901234567890')))
  },
  judge: {
    'RECV-RAW': (scenario) =>
      resting([scenario.ordinary], () =>
        each(exchangesIn(scenario, ['with-fraction', 'with-exponent', 'beyond-double']), accepted),
      ),
  },
})

/** How common libraries write what they have read. */
const writers: Readonly<Record<string, (value: unknown) => string>> = {
  compact: (value) => JSON.stringify(value),
  'with-spaces': withSpaces,
  sorted: (value) => JSON.stringify(sorted(value)),
  indented: (value) => JSON.stringify(value, null, 2),
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]))
}

const rewritten = Object.fromEntries(
  Object.entries(writers).map(([name, write]): [string, Forge] => [
    name,
    (genuine, sign) => bearing(genuine, sign(write(JSON.parse(textOf(genuine))))),
  ]),
)

const normalised = Object.fromEntries(
  ['NFC', 'NFD', 'NFKC', 'NFKD'].map((form): [string, Forge] => [
    `as-${form}`,
    (genuine, sign) => bearing(genuine, sign(textOf(genuine).normalize(form))),
  ]),
)

export const reserialised = forgedScenario('a signature over the text written anew is none', {
  clause: 'RECV-RESERIALIZED',
  forges: { ...rewritten, ...normalised },
  wish: { write: spaced, payload: { customerName: everyForm } },
})
