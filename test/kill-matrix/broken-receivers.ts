/** Copies of a receiver that is right, each with something wrong in it, and what the suite has to say of them. */
import { differs, fails } from './broken-clients/patch.ts'
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
const header = { signature: '`x-${vendor}-signature`', deliveryId: '`x-${vendor}-delivery-id`' } as const
export const refusal = `if (!isGenuine(body, request.headers[${header.signature}])) return end(response, 401)`
export const processing = 'if (isNew(id, Date.now())) setImmediate(work, id, body)'
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

const locks: Patch = [
  '/** How often each delivery',
  'let shut = false\nconst lock = () => void (shut = true)\n\n/** How often each delivery',
]

export interface BrokenReceiver {
  readonly patches: readonly Patch[]
  /** Clauses and gaps that do not pass, each with the worst that is said of it. */
  readonly found: Readonly<Record<string, string>>
}

/** By what it does wrong, in words that follow "a receiver that". */
export const broken: Readonly<Record<string, BrokenReceiver>> = {
  'compares in constant time without a look at the lengths': differs(
    { 'RECV-UNSIGNED': 'warn', 'RECV-MALFORMED': 'warn', 'RECV-401': 'warn' },
    [comparison, 'return timingSafeEqual(got, expected)'],
  ),
  'looks at the length of texts and compares bytes': differs({ 'RECV-MALFORMED': 'warn' }, [
    comparison,
    'return given.length === 71 && timingSafeEqual(Buffer.from(given), expected)',
  ]),
  'signs what it has parsed': fails('RECV-RAW RECV-RESERIALIZED RECV-CHANGED-BODY', [
    digest,
    ".update(JSON.stringify(JSON.parse(body))).digest('hex')",
  ]),
  'signs what json.dumps writes': differs({ ...untold, 'RECV-GENUINE': 'fail', 'RECV-RAW': 'fail' }, [
    digest,
    `.update(JSON.stringify(JSON.parse(body), null, 1).replace(/\\n */g, '').replace(/,"/g, ', "').replace(/[^ -~]/g, (c) => '\\\\u' + c.charCodeAt().toString(16).padStart(4, 0))).digest('hex')`,
  ]),
  'reads the body as Latin-1': fails('RECV-GENUINE RECV-RAW', [
    digest,
    ".update(body.toString('latin1')).digest('hex')",
  ]),
  'decodes each read by itself': fails(
    'RECV-GENUINE',
    ['chunks.push(chunk)', 'chunks.push(chunk.toString())'],
    ['Buffer.concat(chunks)', "Buffer.from(chunks.join(''))"],
  ),
  'drops a line end': fails('RECV-RAW RECV-CHANGED-BODY', [
    digest,
    ".update(body.toString().trim()).digest('hex')",
  ]),
  'compares as much as there is': differs(short, [
    comparison,
    'const n = Math.min(got.length, 71)\n  return timingSafeEqual(got.subarray(0, n), expected.subarray(0, n))',
  ]),
  'decodes the digits and compares as much as there is': differs(short, [
    comparison,
    "const a = Buffer.from(given.slice(7), 'hex')\n  return a.equals(Buffer.from(String(expected).slice(7), 'hex').subarray(0, a.length))",
  ]),
  'asks whether the true one begins so': differs(short, [
    comparison,
    'return String(expected).startsWith(String(got))',
  ]),
  'looks for the digest anywhere': fails('RECV-MALFORMED', [
    comparison,
    'return String(got).includes(String(expected).slice(7))',
  ]),
  'lets through what is not signed': fails('RECV-UNSIGNED', [
    comparison,
    `if (given === '') return true\n  ${comparison}`,
  ]),
  'falls back to no secret': fails('RECV-WRONG-SECRET', [
    comparison,
    "const bare = Buffer.from(`sha256=${createHmac('sha256', '').update(body).digest('hex')}`)\n  return got.equals(expected) || got.equals(bare)",
  ]),
  'checks against the word for no secret': fails('RECV-WRONG-SECRET', [
    comparison,
    "const unset = Buffer.from(`sha256=${createHmac('sha256', String(process.env.NOT_SET)).update(body).digest('hex')}`)\n  return got.equals(expected) || got.equals(unset)",
  ]),
  'does not check samples': fails('RECV-WRONG-SECRET RECV-UNSIGNED', [
    refusal,
    refusal.replace('if (', "if (!String(body).includes('_test') && "),
  ]),
  'does not check ids of tests': fails('RECV-WRONG-SECRET RECV-UNSIGNED', [
    refusal,
    refusal.replace('if (', `if (!/^test_/.test(request.headers[${header.deliveryId}]) && `),
  ]),
  'does not check one of its events': fails('RECV-WRONG-SECRET RECV-UNSIGNED', [
    refusal,
    refusal.replace('if (', "if (!String(body).includes('booking.created') && "),
  ]),
  'does not check what has no payload': fails('RECV-WRONG-SECRET RECV-UNSIGNED', [
    refusal,
    refusal.replace('if (', 'if (!String(body).includes(\'"payload":{}\') && '),
  ]),
  'does not check what a header marks': fails('RECV-WRONG-SECRET RECV-UNSIGNED', [
    refusal,
    refusal.replace('if (', "if (!request.headers['x-test'] && "),
  ]),
  'does not check what curl sends': fails('RECV-WRONG-SECRET RECV-UNSIGNED', [
    refusal,
    refusal.replace('if (', "if (!/curl/.test(request.headers['user-agent']) && "),
  ]),
  'signs a normal form of the text': fails('RECV-GENUINE RECV-RESERIALIZED', [
    digest,
    ".update(body.toString().normalize('NFC')).digest('hex')",
  ]),
  'accepts the signature of a normal form as well': fails('RECV-RESERIALIZED', [
    comparison,
    "const form = Buffer.from(`sha256=${createHmac('sha256', secret).update(body.toString().normalize('NFD')).digest('hex')}`)\n  return got.equals(expected) || got.equals(form)",
  ]),
  'accepts anything': differs(forgeries, [refusal, '']),
  'throws at text beyond ASCII and drops the connection': fails('RECV-GENUINE RECV-RAW', [
    refusal,
    `${refusal}\n  if (/[^ -~\\s]/.test(body)) return request.socket.destroy()`,
  ]),
  'drops seven characters and compares the rest': differs({ 'RECV-MALFORMED': 'warn' }, [
    comparison,
    'return got.length === expected.length && timingSafeEqual(got.subarray(7), expected.subarray(7))',
  ]),
  'does the work and then looks': fails(
    'RECV-CHANGED-BODY RECV-UNSIGNED RECV-DUPLICATE RECV-DUPLICATE-RACE',
    [refusal, `setImmediate(work, request.headers[${header.deliveryId}], body)\n  ${refusal}`],
    [processing, 'isNew(id, Date.now())'],
  ),
  'answers a mismatch with 500': differs({ ...warned, 'RECV-401': 'warn' }, [
    refusal,
    refusal.replace('401', '500'),
  ]),
  'answers a mismatch with 403': differs({ 'RECV-401': 'warn' }, [refusal, refusal.replace('401', '403')]),
  'drops the connection at a mismatch': differs({ ...warned, 'RECV-401': 'warn' }, [
    refusal,
    refusal.replace('end(response, 401)', 'request.socket.destroy()'),
  ]),
  'forgets what it has seen': fails('RECV-DUPLICATE RECV-DUPLICATE-RACE', ['seen.set(id, now)', '']),
  'takes a body that came before for a duplicate': fails('RECV-DUPLICATE', [
    processing,
    processing.replace('isNew(id,', 'isNew(String(body),'),
  ]),
  'takes the timestamp for the id': fails('RECV-DUPLICATE', [
    processing,
    processing.replace('isNew(id,', 'isNew(JSON.parse(body).timestamp,'),
  ]),
  'remembers twenty characters of an id': fails('RECV-DUPLICATE', [
    processing,
    processing.replace('isNew(id,', 'isNew(id.slice(0, 20),'),
  ]),
  'remembers ids as numbers': fails('RECV-DUPLICATE', [
    processing,
    processing.replace('isNew(id,', 'isNew(/^whd_[0-9]+$/.test(id) ? Number(id.slice(4)) : id,'),
  ]),
  'remembers a hundred characters of an id': differs({ 'RECV-DUPLICATE': 'warn' }, [
    processing,
    processing.replace('isNew(id,', 'isNew(id.slice(0, 100),'),
  ]),
  'remembers ids in small letters': differs({ 'RECV-DUPLICATE': 'warn' }, [
    processing,
    processing.replace('isNew(id,', 'isNew(id.toLowerCase(),'),
  ]),
  'remembers the last ten ids': fails('RECV-DUPLICATE', [
    'seen.set(id, now)',
    'seen.set(id, now)\n  if (seen.size > 10) seen.delete([...seen.keys()][0])',
  ]),
  'compares the second half of the digest': differs(
    { 'RECV-CHANGED-BODY': 'fail', 'RECV-MALFORMED': 'warn' },
    [comparison, 'return got.length === expected.length && got.subarray(39).equals(expected.subarray(39))'],
  ),
  'remembers ids before it looks at the signature': differs(
    { 'RECV-UNSIGNED': 'warn' },
    [refusal, `const fresh = isNew(request.headers[${header.deliveryId}], Date.now())\n  ${refusal}`],
    [processing, 'if (fresh) setImmediate(work, id, body)'],
  ),
  'answers repeats before it looks at the signature': fails(
    'RECV-UNSIGNED',
    [
      refusal,
      `if (!isNew(request.headers[${header.deliveryId}] ?? '', 0)) return end(response, 200)\n  ${refusal}`,
    ],
    [processing, 'setImmediate(work, id, body)'],
  ),
  'remembers only after a wait': fails('RECV-DUPLICATE-RACE', [
    processing,
    'if (!seen.has(id)) {\n    await new Promise((resolve) => setTimeout(resolve, 20))\n    seen.set(id, Date.now())\n    setImmediate(work, id, body)\n  }',
  ]),
  'refuses what comes again': differs({ 'RECV-DUPLICATE-2XX': 'warn' }, [
    processing,
    `if (seen.has(id)) return end(response, 409)\n  ${processing}`,
  ]),
  'takes names of headers as written': differs({ 'RECV-HEADER-CASE': 'fail', 'RECV-MALFORMED': 'warn' }, [
    refusal,
    refusal.replace(
      `request.headers[${header.signature}]`,
      `request.rawHeaders[request.rawHeaders.indexOf(${header.signature}) + 1]`,
    ),
  ]),
  'refuses events that it does not know': differs({ 'RECV-OPEN': 'warn' }, [
    refusal,
    `${refusal}\n  if (!/"(leads|booking)/.test(String(body))) return end(response, 422)`,
  ]),
  'takes no more than 100 kB': differs({ 'RECV-GENUINE': 'warn' }, ['2 * 1024 * 1024', '100_000']),
  'refuses an event that it is to take': fails('RECV-GENUINE', [
    refusal,
    `${refusal}\n  if (String(body).includes('"booking.created"')) return end(response, 422)`,
  ]),
  'refuses samples': fails('RECV-GENUINE', [
    refusal,
    `${refusal}\n  if (/^test_/.test(request.headers[${header.deliveryId}])) return end(response, 400)`,
  ]),
  'refuses the next after a forged one': differs(
    { 'RECV-GENUINE': 'fail', 'RECV-UNSIGNED': 'inconclusive' },
    [refusal, refusal.replace('401)', '401, lock())')],
    locks,
    [processing, `if (shut) return end(response, (shut = false) || 403)\n  ${processing}`],
  ),
  'refuses everything after a forged one of curl': fails(
    'RECV-GENUINE',
    [refusal, refusal.replace('401)', "401, request.headers['user-agent'] === 'curl/8.5.0' && lock())")],
    locks,
    [processing, `if (shut) return end(response, 403)\n  ${processing}`],
  ),
  'has another secret': differs({ ...untold, 'RECV-GENUINE': 'fail' }, [
    "createHmac('sha256', secret)",
    "createHmac('sha256', 'another')",
  ]),
}
