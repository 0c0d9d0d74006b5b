/** Copies of a receiver that is right, each with something wrong in it, and what the suite has to say of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { receiverScenarios } from '../../suites/index.ts'

const examples = fileURLToPath(new URL('../../examples/receivers/', import.meta.url))
const right = readFileSync(join(examples, 'node-http.mjs'), 'utf8')

export type Patch = readonly [from: string, to: string]

/** The right receiver with some places changed. A place that is not there, or there twice, is an error of ours. */
export function patched(patches: readonly Patch[]): string {
  return patches.reduce((source, [from, to]) => {
    const times = source.split(from).length - 1
    if (times !== 1)
      throw new Error(`${JSON.stringify(from)} stands ${times} times in node-http.mjs, not once`)
    return source.replace(from, () => to)
  }, right)
}

/** The receiver of another vendor. */
export const vendorPatch = (vendor: string): Patch => [
  "const vendor = 'service'",
  `const vendor = '${vendor}'`,
]

export const comparison = 'return got.length === expected.length && timingSafeEqual(got, expected)'
/** As they stand in its source, which puts the vendor's word in. */
const header = {
  signature: '`x-${vendor}-signature`',
  deliveryId: '`x-${vendor}-delivery-id`',
} as const
export const refusal = `if (!isGenuine(body, request.headers[${header.signature}])) return end(response, 401)`
const processing = 'if (isNew(id, Date.now())) setImmediate(work, id, body)'
const digest = ".update(body).digest('hex')"
const forgeries = {
  'RECV-CHANGED-BODY': 'fail',
  'RECV-WRONG-SECRET': 'fail',
  'RECV-UNSIGNED': 'fail',
  'RECV-MALFORMED': 'fail',
  'RECV-RESERIALIZED': 'fail',
}
const warned = Object.fromEntries(Object.keys(forgeries).map((clause) => [clause, 'warn']))
const short = { 'RECV-UNSIGNED': 'fail', 'RECV-MALFORMED': 'fail' }
/** Where no genuine delivery is taken nothing else is concluded, but how soon that was answered. */
const subjects = Object.values(receiverScenarios).flatMap(({ judge, observe }) =>
  Object.keys({ ...judge, ...observe }),
)
const untold = Object.fromEntries(
  subjects.filter((id) => id !== 'RECV-QUICK').map((id) => [id, 'inconclusive']),
)

export interface BrokenReceiver {
  readonly patches: readonly Patch[]
  /** Clauses and gaps that do not pass, each with the worst that is said of it. */
  readonly found: Readonly<Record<string, string>>
}

/** By what it does wrong, in words that follow "a receiver that". */
export const broken: Readonly<Record<string, BrokenReceiver>> = {
  'compares in constant time without a look at the lengths': {
    patches: [[comparison, 'return timingSafeEqual(got, expected)']],
    found: { 'RECV-UNSIGNED': 'warn', 'RECV-MALFORMED': 'warn', 'RECV-401': 'warn' },
  },
  'looks at the length of texts and compares bytes': {
    patches: [[comparison, 'return given.length === 71 && timingSafeEqual(Buffer.from(given), expected)']],
    found: { 'RECV-MALFORMED': 'warn' },
  },
  'signs what it has parsed': {
    patches: [[digest, ".update(JSON.stringify(JSON.parse(body))).digest('hex')"]],
    found: { 'RECV-RAW': 'fail', 'RECV-RESERIALIZED': 'fail', 'RECV-CHANGED-BODY': 'fail' },
  },
  'reads the body as Latin-1': {
    patches: [[digest, ".update(body.toString('latin1')).digest('hex')"]],
    found: { 'RECV-GENUINE': 'fail', 'RECV-RAW': 'fail' },
  },
  'decodes each read by itself': {
    patches: [
      ['chunks.push(chunk)', 'chunks.push(chunk.toString())'],
      ['Buffer.concat(chunks)', "Buffer.from(chunks.join(''))"],
    ],
    found: { 'RECV-GENUINE': 'fail' },
  },
  'drops a line end': {
    patches: [[digest, ".update(body.toString().trim()).digest('hex')"]],
    found: { 'RECV-RAW': 'fail', 'RECV-CHANGED-BODY': 'fail' },
  },
  'compares as much as there is': {
    patches: [
      [
        comparison,
        'const n = Math.min(got.length, 71)\n  return timingSafeEqual(got.subarray(0, n), expected.subarray(0, n))',
      ],
    ],
    found: short,
  },
  'decodes the digits and compares as much as there is': {
    patches: [
      [
        comparison,
        "const a = Buffer.from(given.slice(7), 'hex')\n  return a.equals(Buffer.from(String(expected).slice(7), 'hex').subarray(0, a.length))",
      ],
    ],
    found: short,
  },
  'asks whether the true one begins so': {
    patches: [[comparison, 'return String(expected).startsWith(String(got))']],
    found: short,
  },
  'looks for the digest anywhere': {
    patches: [[comparison, 'return String(got).includes(String(expected).slice(7))']],
    found: { 'RECV-MALFORMED': 'fail' },
  },
  'lets through what is not signed': {
    patches: [[comparison, `if (given === '') return true\n  ${comparison}`]],
    found: { 'RECV-UNSIGNED': 'fail' },
  },
  'falls back to no secret': {
    patches: [
      [
        comparison,
        "const bare = Buffer.from(`sha256=${createHmac('sha256', '').update(body).digest('hex')}`)\n  return got.equals(expected) || got.equals(bare)",
      ],
    ],
    found: { 'RECV-WRONG-SECRET': 'fail' },
  },
  'accepts anything': { patches: [[refusal, '']], found: forgeries },
  'does the work and then looks': {
    patches: [
      [refusal, `setImmediate(work, request.headers[${header.deliveryId}], body)\n  ${refusal}`],
      [processing, 'isNew(id, Date.now())'],
    ],
    found: {
      'RECV-CHANGED-BODY': 'fail',
      'RECV-UNSIGNED': 'fail',
      'RECV-DUPLICATE': 'fail',
      'RECV-DUPLICATE-RACE': 'fail',
    },
  },
  'answers a mismatch with 500': {
    patches: [[refusal, refusal.replace('401', '500')]],
    found: { ...warned, 'RECV-401': 'warn' },
  },
  'answers a mismatch with 403': {
    patches: [[refusal, refusal.replace('401', '403')]],
    found: { 'RECV-401': 'warn' },
  },
  'drops the connection at a mismatch': {
    patches: [[refusal, refusal.replace('end(response, 401)', 'request.socket.destroy()')]],
    found: { ...warned, 'RECV-401': 'warn' },
  },
  'forgets what it has seen': {
    patches: [['seen.set(id, now)', '']],
    found: { 'RECV-DUPLICATE': 'fail', 'RECV-DUPLICATE-RACE': 'fail' },
  },
  'takes a body that came before for a duplicate': {
    patches: [[processing, processing.replace('isNew(id,', 'isNew(String(body),')]],
    found: { 'RECV-DUPLICATE': 'fail' },
  },
  'remembers twenty characters of an id': {
    patches: [[processing, processing.replace('isNew(id,', 'isNew(id.slice(0, 20),')]],
    found: { 'RECV-DUPLICATE': 'fail' },
  },
  'remembers ids in small letters': {
    patches: [[processing, processing.replace('isNew(id,', 'isNew(id.toLowerCase(),')]],
    found: { 'RECV-DUPLICATE': 'warn' },
  },
  'remembers the last ten ids': {
    patches: [
      ['seen.set(id, now)', 'seen.set(id, now)\n  if (seen.size > 10) seen.delete([...seen.keys()][0])'],
    ],
    found: { 'RECV-DUPLICATE': 'fail' },
  },
  'compares the second half of the digest': {
    patches: [
      [comparison, 'return got.length === expected.length && got.subarray(39).equals(expected.subarray(39))'],
    ],
    found: { 'RECV-CHANGED-BODY': 'fail' },
  },
  'remembers ids before it looks at the signature': {
    patches: [
      [refusal, `const fresh = isNew(request.headers[${header.deliveryId}], Date.now())\n  ${refusal}`],
      [processing, 'if (fresh) setImmediate(work, id, body)'],
    ],
    found: { 'RECV-UNSIGNED': 'warn' },
  },
  'remembers only after a wait': {
    patches: [
      [
        processing,
        'if (!seen.has(id)) {\n    await new Promise((resolve) => setTimeout(resolve, 20))\n    seen.set(id, Date.now())\n    setImmediate(work, id, body)\n  }',
      ],
    ],
    found: { 'RECV-DUPLICATE-RACE': 'fail' },
  },
  'refuses what comes again': {
    patches: [[processing, `if (seen.has(id)) return end(response, 409)\n  ${processing}`]],
    found: { 'RECV-DUPLICATE-2XX': 'warn' },
  },
  'takes names of headers as written': {
    patches: [
      [
        refusal,
        refusal.replace(
          `request.headers[${header.signature}]`,
          `request.rawHeaders[request.rawHeaders.indexOf(${header.signature}) + 1]`,
        ),
      ],
    ],
    // Of two values it sees the first.
    found: { 'RECV-HEADER-CASE': 'fail', 'RECV-MALFORMED': 'warn' },
  },
  'refuses events that it does not know': {
    patches: [
      [refusal, `${refusal}\n  if (!/"(leads|booking)/.test(String(body))) return end(response, 422)`],
    ],
    found: { 'RECV-OPEN': 'warn' },
  },
  'takes no more than 100 kB': {
    patches: [['2 * 1024 * 1024', '100_000']],
    found: { 'RECV-GENUINE': 'warn' },
  },
  'refuses an event that it is to take': {
    patches: [
      [refusal, `${refusal}\n  if (String(body).includes('"booking.created"')) return end(response, 422)`],
    ],
    found: { 'RECV-GENUINE': 'fail' },
  },
  'refuses samples': {
    patches: [
      [
        refusal,
        `${refusal}\n  if (/^test_/.test(request.headers[${header.deliveryId}])) return end(response, 400)`,
      ],
    ],
    found: { 'RECV-GENUINE': 'fail' },
  },
  'refuses the next after a forged one': {
    patches: [
      [refusal, refusal.replace('return end(response, 401)', 'return end(response, 401, lock())')],
      [
        '/** How often each delivery',
        'let shut = false\nconst lock = () => void (shut = true)\n\n/** How often each delivery',
      ],
      [processing, `if (shut) return end(response, (shut = false) || 403)\n  ${processing}`],
    ],
    found: { 'RECV-GENUINE': 'fail', 'RECV-UNSIGNED': 'inconclusive' },
  },
  'has another secret': {
    patches: [["createHmac('sha256', secret)", "createHmac('sha256', 'another')"]],
    found: { ...untold, 'RECV-GENUINE': 'fail' },
  },
}
