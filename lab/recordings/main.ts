/**
 * `npm run lab -- recordings [--only NAME] [--har-dump FILE] [--keep FOLDER]`: the same requests, recorded by tools that
 * others wrote, judged by `touchstone judge`: no fault is found of a conforming service, and each of another.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSimulator, type FaultId } from '../../simulator/index.ts'
import { isObject } from '../../spec/json.ts'
import { optionsOf } from '../../test/options.ts'
import { installTools } from '../../test/tools.ts'
import { recorders, Unavailable, type Asked, type Recorder } from './recorders.ts'

const { values } = optionsOf({
  options: {
    only: { type: 'string', default: '' },
    'har-dump': { type: 'string' },
    keep: { type: 'string' },
  },
})

/** Each with the clause that it shows in this journey. */
const shown = {
  'replay-marked-yes': ['IDEM-REPLAY-HEADER', 'IDEM-STREAM-REPLAY-HEADER'],
  'heartbeat-as-field': ['SSE-FIELDS'],
  'receipt-status-in-capitals': ['RCPT-STATUS-KNOWN'],
  'error-as-receipt': ['ERR-FLAT'],
} as const satisfies Readonly<Partial<Record<FaultId, readonly string[]>>>

/** A page is no place for a key, which is what the page of this journey does wrong. */
const foundAnyway: Readonly<Partial<Record<keyof typeof recorders, readonly string[]>>> = {
  'Playwright, a page': ['LIB-KEY-SERVER-SIDE'],
  'chrome-har': ['LIB-KEY-SERVER-SIDE'],
}

function journeyOf(agent: string, apiKey: string): readonly Asked[] {
  const chat = `/api/v1/chat/${agent}`
  const post = (path: string, body: object, key?: string): Asked => ({
    method: 'POST',
    path,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': `key-of-the-journey-0001-${key}` }),
    },
    body: JSON.stringify(body),
  })
  const turn = post(chat, { message: 'Grüezi, who are you? 👋' }, 'turn')
  const stream = post(chat, { message: 'Say môre.', stream: true }, 'stream')
  return [
    turn,
    turn,
    stream,
    stream,
    post(chat, { message: '' }, 'refused'),
    post('/api/v1/operation-executions/notes.list', { input: { limit: 1 } }),
    { method: 'GET', path: '/api/v1/billing/usage', headers: { authorization: `Bearer ${apiKey}` } },
  ]
}

interface Judged {
  found: readonly string[]
  /** How many exchanges of how many are with the service. */
  counted: string
}

const bin = join(import.meta.dirname, '../../cli/bin.ts')

async function recorded(record: Recorder, faults: readonly FaultId[], folder: string): Promise<Judged> {
  mkdirSync(folder, { recursive: true })
  await using simulator = await createSimulator({ faults })
  const { url, tenant } = simulator
  const asked = journeyOf(tenant.agents.plain, tenant.keys.main)
  const file = await record({ url, asked, folder, tools, harDump: values['har-dump'] })
  const out = join(folder, 'judged')
  const words = [bin, 'judge', file, '--out', out]
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, words, (_, stdout, stderr) => resolve(stdout + stderr))
  })
  const [counted] = /\d+ of \d+ exchanges/.exec(said) ?? []
  if (counted === undefined || !existsSync(join(out, 'run.json'))) throw new Error(said)
  const run: unknown = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))
  const findings = isObject(run) && Array.isArray(run['findings']) ? run['findings'] : []
  const against = findings.filter(
    (one): one is { subject: string } =>
      isObject(one) && ['fail', 'warn', 'error'].some((verdict) => verdict === one['verdict']),
  )
  return { found: [...new Set(against.map(({ subject }) => subject))], counted }
}

const sorted = (words: readonly string[]): string => words.toSorted().join(', ') || 'nothing'

async function troublesOf(name: keyof typeof recorders, folder: string): Promise<readonly string[]> {
  const expected = foundAnyway[name] ?? []
  const record = recorders[name]
  const conforming = await recorded(record, [], join(folder, 'conforming'))
  const faulty = await recorded(record, Object.keys(shown) as FaultId[], join(folder, 'faulty'))
  const wanted = Object.values(shown).flat()
  const missed = wanted.filter((one) => !faulty.found.includes(one))
  console.log(`${name.padEnd(32)} ${conforming.counted}`)
  return [
    ...(conforming.counted.startsWith(`${journeyOf('', '').length} of `) ? [] : ['left exchanges out']),
    ...(sorted(conforming.found) === sorted(expected)
      ? []
      : [`found without a fault: ${sorted(conforming.found)}`]),
    ...(missed.length === 0 ? [] : [`did not show ${sorted(missed)}`]),
  ]
}

const tools = installTools(join(import.meta.dirname, 'tools'))
const root = values.keep ?? mkdtempSync(join(tmpdir(), 'touchstone-recordings-'))
try {
  for (const name of Object.keys(recorders) as (keyof typeof recorders)[]) {
    if (!name.includes(values.only)) continue
    try {
      const troubles = await troublesOf(name, join(root, name.replaceAll(/\W+/g, '-')))
      if (troubles.length > 0) process.exitCode = 1
      for (const trouble of troubles) console.log(`  ${trouble}`)
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error
      console.log(`${name.padEnd(32)} skipped: ${error.message}`)
    }
  }
} finally {
  if (values.keep === undefined) rmSync(root, { recursive: true, force: true })
}
