/** What a run against a service of another vendor leaves shows the names of that service, and of no other. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { identifiersOf } from '../../spec/identifiers.ts'

const vendor = 'acme-corp'
const faults = ['replay-unmarked', 'own-user-agent', 'retries-unsigned'] as const
const only = ['idempotency-replay/json', 'idempotency-replay/stream', 'delivery/live', 'retries/recovered']
let folder: string
let code: number
let out: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-vendor-'))
  const broken = faults.flatMap((name) => ['--fault', name])
  const asked = ['check', 'simulator', '--vendor', vendor, ...broken, '--out', folder]
  const ended = await run([...asked, ...only.flatMap((name) => ['--only', name])])
  code = ended.code
  out = ended.out + ended.err
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What is called by its name in the contract: a row of it, and a fault of the simulator. */
const named = /Events, Webhook deliveries, x-service-[\w-]+|“[^”]*”/g
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8').replaceAll(named, '')

const filesIn = (): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  )

test('no file and no line of it names an identifier of the contract', () => {
  const foreign = /x-service-|service-webhooks|\bSERVICE_(?:BASE_URL|API_KEY)/i
  expect(code, out).toBe(1)
  expect(out).not.toMatch(foreign)
  expect(filesIn().filter((name) => foreign.test(textOf(name)))).toEqual([])
})

test.for([
  ['replayHeader', 'report.html'],
  ['replayHeader', 'junit.xml'],
  ['userAgent', 'report.html'],
  ['signatureHeader', 'report.html'],
] as const)('%s stands in %s as the service writes it', ([name, file]) => {
  expect(textOf(file)).toContain(identifiersOf(vendor)[name])
})
