/** A recording is judged as a run is: into a bundle that verifies, and that says the same when it is judged again. */
import { readFileSync, writeFileSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { RunRecord } from '../../bundle/record.ts'
import { contractIdentifiers } from '../../spec/identifiers.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'
import { run } from '../process.testkit.ts'

const root = temporaryFolder()
const at = (name: string): string => join(root, name)
const findingsOf = (name: string): RunRecord['findings'] =>
  (JSON.parse(readFileSync(join(at(name), 'run.json'), 'utf8')) as RunRecord).findings
const failuresOf = (name: string): readonly string[] =>
  findingsOf(name).flatMap(({ verdict, check }) => (verdict === 'fail' ? [check] : []))

/** Of another address than the simulator had, and with a key that nobody redacted. */
const key = 'sk-0123456789abcdef'
let checked = ''
beforeAll(async () => {
  const only = 'idempotency-replay/*'
  const faulty = ['check', 'simulator', '--fault', 'replay-unmarked', '--only', only]
  checked = (await run([...faulty, '--quiet', '--json', '--out', at('checked')])).out
  const har = readFileSync(join(at('checked'), 'exchanges.har'), 'utf8')
  const elsewhere = har.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://api.example/base')
  const delivery = { name: contractIdentifiers.deliveryIdHeader, value: 'whd_1' }
  const delivered = elsewhere.replaceAll(/"headers":\s*\[/g, `"headers":[${JSON.stringify(delivery)},`)
  writeFileSync(at('deliveries.har'), delivered)
  writeFileSync(
    at('client.har'),
    elsewhere.replaceAll('"_id":', '"_inbound":{"place":"turn","targetAt":1},"_id":'),
  )
  writeFileSync(at('tests.har'), elsewhere.replaceAll(/\[\[key:main:\w+\]\]/g, key))
})

test('a recording fails as its service does, verifies, and holds no key', async () => {
  const { code, out } = await run(['judge', at('tests.har'), '--quiet', '--out', at('judged')])
  expect(out).toContain('violations seen')
  expect([code, failuresOf('judged').includes('traffic/keys/IDEM-REPLAY-HEADER')]).toEqual([1, true])
  const verified = await run(['verify', at('judged'), '--rejudge'])
  expect(verified.code, verified.out).toBe(0)
  const files = globSync(`${at('judged')}/**/*.{json,ndjson,html,md,har,xml}`)
  expect(files.filter((file) => readFileSync(file, 'utf8').includes(key))).toEqual([])
})

test('the folder of a run is judged like its recording', async () => {
  for (const folder of ['checked', 'judged'])
    await run(['judge', at(folder), '--quiet', '--out', at(`${folder}-again`)])
  expect(failuresOf('judged-again')).toEqual(failuresOf('judged'))
  expect(failuresOf('checked-again')).toEqual(failuresOf('judged'))
  await run(['judge', join(at('judged'), 'exchanges.har'), '--quiet', '--out', at('har-again')])
  for (const folder of ['judged', 'checked-again', 'judged-again', 'har-again']) {
    const ofClient = findingsOf(folder).filter(({ scenario }) => scenario.startsWith('traffic/client-'))
    expect(new Set(ofClient.map(({ detail }) => detail))).toEqual(
      new Set([expect.stringContaining('a suite sent what was recorded')]),
    )
  }
})

test('judged again, a recording shows the same, and no credentials of its endpoints', async () => {
  const custom_headers = { Authorization: 'Bearer endpoint-s3cret', 'X-Token': 'endpoint_t0ken' }
  const text = JSON.stringify({ name: 'x', endpoint_url: 'https://hooks.example/x', custom_headers })
  const entries = ['agents/a1/webhooks', `v1/operations?api_key=${key}`].map((path) => ({
    startedDateTime: '2026-11-30T10:00:00.000Z',
    time: 5,
    request: {
      method: 'POST',
      url: `https://api.example/api/${path}`,
      headers: [{ name: 'Authorization', value: `bearer ${key}` }],
      postData: { mimeType: 'application/json', text },
    },
    response: { status: 200, headers: [], content: { mimeType: 'application/json', text } },
  }))
  writeFileSync(at('kept.har'), JSON.stringify({ log: { version: '1.2', entries } }))
  await run(['judge', at('kept.har'), '--quiet', '--out', at('kept')])
  await run(['judge', at('kept'), '--quiet', '--out', at('kept-again')])
  const warned = expect.objectContaining({ subject: 'LIB-KEY-SERVER-SIDE', verdict: 'warn' }) as object
  for (const folder of ['kept', 'kept-again']) expect(findingsOf(folder)).toContainEqual(warned)
  expect(readFileSync(join(at('kept'), 'journal.ndjson'), 'utf8')).not.toMatch(/s3cret|t0ken/)
})

test.for([
  ['no-such.har', [], 2, 'does not exist'],
  ['tests.har', ['--base-url', 'https://other.example'], 4, 'belongs to the service'],
  ['deliveries.har', ['--base-url', 'https://other.example'], 4, 'belongs to the service'],
  ['client.har', [], 2, 'touchstone client'],
  ['tests.har', ['--only', 'no-such'], 2, 'no-such'],
  ['checked/exchanges.har', ['--out', 'checked'], 2, 'is read from there'],
  ['checked', ['--out', 'checked'], 2, 'is read from there'],
] as const)('%s with %s ends with exit code %i', async ([file, more, expected, words]) => {
  const out = more[0] === '--out' ? ['--out', at(more[1])] : [...more, '--out', at('refused')]
  const { code, err } = await run(['judge', at(file), ...out])
  expect([code, err.includes(words), err.trimEnd().split('\n').length]).toEqual([expected, true, 1])
})

/** What a coding agent needs of a failure, in one object. */
test('a failure of both has its clause, what to compare, its trace, and the line that repeats it', async () => {
  const { out } = await run(['judge', at('tests.har'), '--quiet', '--json', '--out', at('judged-as-json')])
  const trace = expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) as string
  for (const [text, line] of [
    [checked, /^npx touchstone check simulator .*--only /],
    [out, /^curl -sS -i -N -X POST https:\/\/api\.example\/base\/api\/v1\/chat\//],
  ] as const)
    expect(JSON.parse(text)).toHaveProperty(
      'failures',
      expect.arrayContaining([
        expect.objectContaining({
          clause: 'IDEM-REPLAY-HEADER',
          sentence: 'A replay carries `X-Service-Idempotent-Replay: true`.',
          expected: 'header x-service-idempotent-replay: true',
          got: 'no such header',
          cause: expect.toBeOneOf([null, expect.any(String)]) as unknown,
          exchanges: expect.arrayContaining([expect.objectContaining({ trace })]) as unknown,
          reproduce: expect.stringMatching(line) as string,
        }),
      ]),
    )
})
