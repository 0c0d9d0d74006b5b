/** The clients that a user can copy, each as real processes, told every story of the actions that it has. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, describe, test } from 'vitest'
import { run } from '../cli/process.double.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const example = (name: string): string => join(root, 'examples/clients', name)
const folder = mkdtempSync(join(tmpdir(), 'touchstone-client-examples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The package is not built here: its source stands for it. */
function overSource(name: string): string {
  const file = join(folder, name)
  const source = pathToFileURL(join(root, 'client/index.ts')).href
  writeFileSync(
    file,
    readFileSync(example(name), 'utf8').replace("'touchstone/client'", () => `'${source}'`),
  )
  return file
}

const node = process.execPath
const library = ['--as', 'library', '--driver', '--', node, overSource('library.ts')]
const plain = ['--driver', '--', node, example('fetch.ts')]
// A driver gets one act at a time, and waits more than it works: two of them are done in half the time.
const turns = ['--can', 'chat,stream']
const rest = ['--can', 'billing,discover,execute,upload']
const examples = {
  'library.ts in turns, as a library': [...turns, ...library],
  'library.ts in everything else': [...rest, ...library],
  'fetch.ts in turns, as a driver': [...turns, ...plain],
  'fetch.ts in everything else': [...rest, ...plain],
  'client.py': ['--can', 'chat,stream,billing,discover,execute', '--', 'python3', example('client.py')],
  'client.sh': ['--can', 'chat,stream', '--', 'sh', example('client.sh')],
} as const

describe.concurrent('an example keeps every clause of the actions that it has:', () => {
  test.for(Object.entries(examples))('%s', async ([name, words], { expect }) => {
    const out = join(folder, name)
    const ended = await run(['client', '--quiet', '--out', out, ...words], { env: { ...process.env } })
    const { passed, others } = findingsIn(out)
    expect({ ...others, code: ended.code }, ended.out + ended.err).toEqual({ code: 0 })
    expect(passed).toBeGreaterThan(30)
  })
})

interface Finding {
  check: string
  verdict: string
}

/** What a client was said not to have is not asked of it; what the contract is silent about is recorded. */
const fine = ['pass', 'not-applicable', 'observed']

/** How many passed, and what is said of each that did not. */
function findingsIn(out: string): { passed: number; others: Record<string, string> } {
  const { findings } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as { findings: Finding[] }
  const left = findings.filter(({ verdict }) => !fine.includes(verdict))
  return {
    passed: findings.filter(({ verdict }) => verdict === 'pass').length,
    others: Object.fromEntries(left.map(({ check, verdict }) => [check, verdict])),
  }
}
