/** What docs/guide-embedding.md and docs/guide-processes.md show is done here, in a project like that of a reader. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { touchstoneBin } from '../bundled.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const guide = ['guide-embedding', 'guide-processes']
  .map((page) => readFileSync(join(root, `docs/${page}.md`), 'utf8'))
  .join('\n')
const blocks = [...guide.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}))
/** Files of the guide by the name in their first line. */
const files = new Map(
  blocks.flatMap(({ text }) => {
    const [, name] = /^(?:\/\/|#) (\S+\.(?:ts|py))\n/.exec(text) ?? []
    return name === undefined ? [] : [[name, text] as const]
  }),
)
const commands = blocks
  .filter(({ language }) => language === '')
  .map(({ text }) => text.trim())
  .filter((line) => line !== '')

const failing = `import { expect } from 'vitest'
import { useSimulator } from '@touchstone-suite/touchstone/simulator/vitest'
import { ask } from './client.ts'
const { test } = useSimulator()
test('a greeting is answered', { retry: 1 }, async ({ tenant }) => {
  await ask(tenant, 'Hello', tenant.keys.main)
  expect.soft(1).toBe(2)
})
`

const folder = mkdtempSync(join(tmpdir(), 'touchstone-embedding-'))

/** What \`npm install\` would leave, but with the sources in the place of what is built from them. */
function install(): void {
  const home = join(folder, 'node_modules/@touchstone-suite/touchstone')
  mkdirSync(home, { recursive: true })
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string>
  }
  const sources = Object.entries(exports).map(([name, built]) => [
    name,
    built.replace(/^\.\/dist\/(.*)\.js$/, './sources/$1.ts'),
  ])
  const own = {
    name: '@touchstone-suite/touchstone',
    type: 'module',
    exports: Object.fromEntries(sources) as object,
  }
  writeFileSync(join(home, 'package.json'), JSON.stringify(own))
  symlinkSync(root, join(home, 'sources'))
  symlinkSync(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'))
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  for (const [name, text] of files) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'failing.test.ts'), failing)
}

beforeAll(install)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What was compiled once is not compiled again for each. */
const compiledOnce = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/touchstone') }

interface Ended {
  code: number
  out: string
}

async function run(program: string, words: readonly string[]): Promise<Ended> {
  const { TOUCHSTONE_CONTROL_URL: _, ...env } = process.env
  return promisify(execFile)(program, words, {
    cwd: folder,
    env: { ...env, ...compiledOnce, VITEST: '' },
    timeout: 280_000,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), out: `${stdout}${stderr}` }),
  )
}

const vitest = join(root, 'node_modules/vitest/vitest.mjs')
/** What a word of a command is here. */
const places: Readonly<Record<string, readonly string[]>> = {
  node: [process.execPath],
  'npx vitest': [process.execPath, vitest],
  'npx @touchstone-suite/touchstone': [process.execPath, touchstoneBin],
}

function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/"([^"]*)"|(npx \S+|\S+)/g)].map(
    ([, quoted, plain = '']) => quoted ?? plain,
  )
  return words.flatMap((word) => places[word] ?? [word])
}

interface Report {
  testResults: { name: string; status: string; assertionResults: { fullName: string; status: string }[] }[]
}

describe('in vitest', () => {
  const tests = [...files.keys()].filter(
    (name) => name.endsWith('.test.ts') && name !== 'environment.test.ts',
  )
  let ended: Ended
  let report: Report
  beforeAll(async () => {
    const words = [
      'run',
      '--testTimeout=60000',
      ...tests,
      'failing.test.ts',
      '--reporter=json',
      '--outputFile=report.json',
    ]
    ended = await run(process.execPath, [
      vitest,
      ...words,
      '--reporter=default',
      '--no-isolate',
      '--no-file-parallelism',
    ])
    report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report
  })

  test.for(tests)('%s passes', (name) => {
    const found = report.testResults.find((file) => file.name.endsWith(`/${name}`))
    expect(found?.status, ended.out).toBe('passed')
    expect(found?.assertionResults.length).toBeGreaterThan(0)
  })

  test('a test that fails prints what its tenant was asked, each time it is tried', () => {
    const [shown = ''] = blocks.filter(({ language }) => language === 'text').map(({ text }) => text.trim())
    const printed = stripVTControlCharacters(ended.out)
    const pattern = shown.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '[\\w-]+')
    expect(ended.code).toBe(1)
    expect(printed.match(new RegExp(pattern, 'g')), printed).toHaveLength(2)
    expect(printed).not.toMatch(/sk-\w{8}/)
  })
})

test('in the runner of Node', async () => {
  const { code, out } = await run(process.execPath, ['--test', 'orders.node-test.ts'])
  expect(code, out).toBe(0)
  expect(out).toMatch(/pass 1\b/)
})

/** What shows that a command did what the guide says. */
const shows: Readonly<Record<string, RegExp>> = {
  'npx @touchstone-suite/touchstone exec -- python3 -m unittest': /Ran 1 test in .*\n\nOK/,
  'npx @touchstone-suite/touchstone exec --seed demo -- node -e "console.log(process.argv[1])" {base_url}':
    /^http:\/\/127\.0\.0\.1:\d+\n$/,
  'npx @touchstone-suite/touchstone exec -- node remote.ts': /^200\n$/,
  'npx @touchstone-suite/touchstone exec -- npx vitest run environment.test.ts': /1 passed/,
}

test.concurrent.for(commands)('%s', async (line, { expect }) => {
  const [program = '', ...words] = wordsOf(line)
  const { code, out } = await run(program, words)
  expect(code, out).toBe(0)
  expect(stripVTControlCharacters(out)).toMatch(shows[line] ?? /no pattern for this command/)
})

test('and there is no block that none of these tests looks at', () => {
  const named = blocks.filter(({ language }) => ['ts', 'python'].includes(language))
  expect(named).toHaveLength(files.size)
  expect(blocks.length - named.length - commands.length).toBe(1)
  const run = [...files.keys()].filter((name) => guide.includes(`./${name}`) || /test/.test(name))
  expect([...run, 'remote.ts'].sort()).toEqual([...files.keys()].sort())
})
