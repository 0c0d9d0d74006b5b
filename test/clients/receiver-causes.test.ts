/** Each row of the table of causes of receivers, in the report of a receiver with that defect. */
import { afterAll, expect, test } from 'vitest'
import { adviceOf } from '../../reports/findings/causes.ts'
import { mistakesSeen } from '../../spec/mistakes.ts'
import { receiverScenarios } from '../../suites/receivers/index.ts'
import { runReceiver } from '../../suites/runner/drivers/receiver.ts'
import { broken, comparison, processing, refusal, type Patch } from '../kill-matrix/broken-receivers.ts'
import { endReceivers, startPatched } from '../kill-matrix/receiver-process.ts'

afterAll(endReceivers)

const forged = 'receiver-forged/*'
const alike = 'receiver-duplicates/alike'
const anySignature: Patch = [refusal, refusal.replace('!isGenuine(body, request', '!(request')]
const signature = 'request.headers[`x-${vendor}-signature`]'
const title = "request.rawHeaders[request.rawHeaders.indexOf('X-Service-Signature') + 1]"
const titleCase: Patch = [refusal, refusal.replace(signature, title)]
const half = 'got.length === expected.length && got.subarray(0, 39).equals(expected.subarray(0, 39))'
const firstRead: Patch = ['chunks.push(chunk)', 'chunks.push(chunk)\n    break']
const twice: Patch = [processing, `${processing}, setImmediate(work, id, body)`]
const drops: Patch = ['console.error(error.message)\n    if', 'request.socket.destroy()\n    if']
const lengths = 'compares in constant time without a look at the lengths'
const bytes = 'looks at the length of texts and compares bytes'

test.each<[name: string, only: string, cause: string, ...more: Patch[]]>([
  ['does not check ids of tests', 'receiver-twins/kinds', 'besides the signature'],
  ['signs what it has parsed', 'receiver-forged/changed,RECV-RAW', 're-serialized JSON'],
  ['accepts anything', forged, 'no signature is checked'],
  ['accepts any signature', forged, 'no signature is checked', anySignature],
  ['compares the first half', forged, 'only a part of the signature', [comparison, `return ${half}`]],
  [lengths, 'receiver-forged/malformed', 'of another length', drops],
  [bytes, 'receiver-forged/bytes', 'not ASCII', drops],
  ['falls back to no secret', forged, 'an empty or unset secret'],
  ['answers a mismatch with 500', 'RECV-WRONG-SECRET', 'becomes a 500'],
  ['answers a mismatch with 403', 'RECV-401', 'another status'],
  ['reads the body as Latin-1', 'receiver-*', 'decoded to text'],
  ['has title case only', 'receiver-genuine/plain', 'as written', titleCase],
  ['refuses samples', 'RECV-GENUINE', 'test deliveries are refused'],
  ['ends with the first read', 'receiver-genuine/text', 'read in part', firstRead],
  ['has another secret', 'receiver-genuine/plain', 'wrong secret, or no prefix'],
  ['takes no more than 100 kB', 'RECV-GENUINE', 'null'],
  ['takes a body that came before for a duplicate', alike, 'by their body'],
  ['remembers ids as numbers', alike, 'read as numbers'],
  ['signs what json.dumps writes', 'receiver-*', 're-serialized JSON'],
  ['throws at text beyond ASCII and drops the connection', 'receiver-genuine/text', 'its handler throws'],
  ['drops the connection at a mismatch', forged, 'a mismatch ends the connection'],
  ['does the work and then looks', 'receiver-duplicates/forged', 'before the check'],
  ['answers repeats before it looks at the signature', 'RECV-UNSIGNED', 'the id is remembered before'],
  ['remembers the last ten ids', 'receiver-duplicates/*', 'too few ids'],
  ['works twice', 'RECV-DUPLICATE*', 'one delivery is processed twice', twice],
  ['forgets what it has seen', 'receiver-duplicates/processed', 'stored per process, or not at all'],
])('a receiver that %s, seen with %s, has the cause %s', async (name, only, cause, ...more) => {
  const started = await startPatched(
    `${name} ${more.flat().join(' ')}`,
    ...(broken[name]?.patches ?? []),
    ...more,
  )
  const subject = { ...started, effectsWaitMs: 300, restartMs: 0 }
  const run = await runReceiver(subject, { seed: 1, only: only.split(',') })
  const failed = run.record.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
  const named = failed.map((one) => String(adviceOf(one, run).cause))
  expect(named).toContainEqual(expect.stringContaining(cause))
})

test('the table of causes names deliveries that there are', () => {
  const known = Object.values(receiverScenarios).flatMap(({ exchanges }) => exchanges)
  const named = mistakesSeen.flatMap(([fitting]) => String(fitting).match(/[a-z]+(-[a-z]+)+/g) ?? [])
  expect(named.filter((name) => !known.some((one) => one.startsWith(name)))).toEqual([])
})
