/** Every command that a report prints runs as it is, in the folder in which the run was started, and is the same everywhere. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createSimulator } from '../../simulator/index.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = temporaryFolder()

/** Exit code and both outputs. */
const shell = (line: string, env: Readonly<Record<string, string>> = {}) =>
  new Promise<{ code: unknown; out: string; err: string }>((resolve) => {
    const own = { ...process.env, npm_lifecycle_event: undefined, npm_command: undefined, ...env }
    execFile('bash', ['-c', line], { cwd: folder, env: own, maxBuffer: 1 << 26 }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    )
  })

const plain = (text: string): string =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

let runs = 0

/** The commands in the page of a run that fails; other outputs have no others. */
async function printedBy(words: string, env: Readonly<Record<string, string>>) {
  const out = `out-${(runs += 1)}`
  const [command, ...rest] = words.split(' -- ')
  const line = [`node ${join(root, 'cli/bin.ts')} ${command} --quiet --out ${out}`, ...rest].join(' -- ')
  const { out: text, code, err } = await shell(line, env)
  expect([code, err]).toEqual([1, ''])
  const read = (file: string): string => plain(readFileSync(join(folder, out, file), 'utf8'))
  const page = read('report.html')
  const summary = read('summary.md')
  const reproduce = linesAfter('reproduce', read('junit.xml'))
  // A long one is in the page only.
  const curls = linesAfter('curl', read('junit.xml')).filter((one) => one.startsWith('curl '))
  for (const one of [...reproduce, ...curls]) expect(page).toContain(one)
  for (const one of linesAfter('reproduce', text)) expect(reproduce).toContain(one)
  for (const one of reproduce) expect(summary).toContain(one)
  expect(reproduce).not.toEqual([])
  return { reproduce, curls }
}

const linesAfter = (name: string, text: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^ *${name} +(.*)$`, 'gm'))].map(([, line = '']) => line)

/** Sends its API key with another scheme. */
const client = `const { SERVICE_BASE_URL: url, SERVICE_API_KEY: key, TOUCHSTONE_AGENT: agent } = process.env
await fetch(url + '/api/v1/chat/' + agent, {
  method: 'POST',
  headers: { authorization: 'Token ' + key, 'content-type': 'application/json' },
  body: JSON.stringify({ message: process.env.TOUCHSTONE_MESSAGE, idempotency_key: process.env.TOUCHSTONE_IDEMPOTENCY_KEY }),
})`

const patient = { timeout: 120_000 }
const faults = ['longest-message-refused', 'invalid-key-as-403'] as const

test('failures of a server are reproduced by their lines', patient, async () => {
  await using simulator = await createSimulator({ faults })
  const { keys, agents } = simulator.tenant
  const only = '--retries 0 --only chat-request/message-rules --only auth/credentials'
  const env = { KEY: keys.main }
  const at = `--base-url ${simulator.url} --api-key env:KEY --agent ${agents.plain}`
  const { reproduce, curls } = await printedBy(`check ${at} ${only}`, env)
  expect(curls.join('\n')).toMatch(/--data-binary @out-\d+\/evidence\//)
  expect(curls.join('\n')).toContain('WRONG_API_KEY')
  for (const line of reproduce) expect((await shell(line, env)).code, line).toBe(1)
  for (const line of curls) expect((await shell(line, env)).out, line).toMatch(/^HTTP\/1\.1 [24]\d\d/)
})

// Their lines write into one folder.
test.for([
  "check simulator --fault replay-unmarked --only 'idempotency-replay/*'",
  'client --can chat --only client-chat/turn -- node client.mjs',
])('failures of `%s` are reproduced by their lines', patient, async (words) => {
  writeFileSync(join(folder, 'client.mjs'), client)
  const { reproduce } = await printedBy(words, {})
  for (const line of reproduce) expect((await shell(line)).code, line).toBe(1)
})
