/** The clients that a user can copy, each as a real process, through every scenario of its actions. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const example = (name: string): string => join(root, 'examples/clients', name)
const folder = temporaryFolder()

/** A copy with a place changed, as a user changes it. */
function changed(name: string, ...places: readonly (readonly [from: string, to: string])[]): string {
  const file = join(folder, name)
  const source = places.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${JSON.stringify(from)} does not stand in ${name}`)
      return text.replaceAll(from, () => to)
    },
    readFileSync(example(name), 'utf8'),
  )
  writeFileSync(file, source)
  return file
}

/** The package is not built here: its source stands for it. */
const ownPackage = pathToFileURL(join(root, 'client/index.ts')).href
const ofA2z = changed(
  'library.ts',
  ["'@touchstone-suite/touchstone/client'", `'${ownPackage}'`],
  ["const vendor = 'service'", "const vendor = 'a2z'"],
)
const ofAcmeCorp = changed('client.sh', ['$SERVICE_', '$ACME_CORP_'])

const node = process.execPath
/** Without site packages: it needs the standard library alone, and starts in half the time. */
const python = ['python3', '-E', '-S']
const library = ['--as', 'library', '--vendor', 'a2z', '--driver', '--', node, ofA2z]
const plain = ['--driver', '--', node, example('fetch.ts')]
/** A process for each step would spend nearly all of its time on starting Python. */
const forked = [
  '--driver',
  '--',
  ...python,
  fileURLToPath(new URL('forked.py', import.meta.url)),
  example('client.py'),
  'SERVICE',
]
// A driver gets one act at a time, and waits more than it works: two of them are done in half the time.
const turns = ['--can', 'chat,stream']
const rest = ['--can', 'billing,discover,execute,upload']
const examples = {
  'library.ts of a2z in turns, as a library': [...turns, ...library],
  'library.ts of a2z in everything else': [...rest, ...library],
  // Whatever else it has, the broken clients of the kill matrix start from it.
  'fetch.ts in everything but turns, as a driver': [...rest, ...plain],
  'client.py in turns, forked for each step': [...turns, ...forked],
  'client.sh of acme-corp': ['--can', 'chat,stream', '--vendor', 'acme-corp', '--', 'sh', ofAcmeCorp],
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

test.concurrent.for([
  ['fetch.ts', "const prefix = 'SERVICE'", "const prefix = 'ACME'", [node]],
  ['client.py', 'PREFIX = "SERVICE"', 'PREFIX = "ACME"', python],
] as const)(
  '%s, started for each step, reads the variables of the vendor in it',
  async ([name, from, to, program], { expect }) => {
    const client = changed(name, [from, to])
    const out = join(folder, `${name} of acme`)
    const words = ['--vendor', 'acme', '--only', 'client-chat/*', '--can', 'chat', '--', ...program, client]
    const { code } = await run(['client', '--quiet', '--out', out, ...words], { env: { ...process.env } })
    const { passed, others } = findingsIn(out)
    expect({ ...others, code }).toEqual({ code: 0 })
    expect(passed).toBeGreaterThan(0)
  },
)

/** How many passed, and what is said of each that did not. */
function findingsIn(out: string): { passed: number; others: Record<string, string> } {
  const { findings } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8')) as { findings: Finding[] }
  const left = findings.filter(({ verdict }) => !fine.includes(verdict))
  return {
    passed: findings.filter(({ verdict }) => verdict === 'pass').length,
    others: Object.fromEntries(left.map(({ check, verdict }) => [check, verdict])),
  }
}
