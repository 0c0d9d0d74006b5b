/** Runs the commands and code of the guide for client authors. */
import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { main } from '../../cli/main.ts'
import { run, testIo } from '../../cli/process.testkit.ts'
import { clauses } from '../../spec/index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(join(root, 'docs/guide-client.md'), 'utf8')
const blocks = [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
const inLanguage = (wanted: string): readonly string[] =>
  blocks.flatMap(([, language, block = '']) => (language === wanted ? [block] : []))
const commands = inLanguage('').flatMap((block) => block.trim().split('\n'))
const [adapter = '', library = '', webhooks = ''] = inLanguage('ts')

const folder = mkdtempSync(join(tmpdir(), 'touchstone-guide-client-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const sources = {
  '@touchstone-suite/touchstone/client': 'client/index.ts',
  '@touchstone-suite/touchstone/simulator': 'simulator/index.ts',
}

/** The package is not built here: its source stands for it. */
function written(name: string, code: string): string {
  const file = join(folder, name)
  const over = Object.entries(sources).reduce(
    (code, [name, source]) => code.replaceAll(`'${name}'`, `'${pathToFileURL(join(root, source)).href}'`),
    code,
  )
  writeFileSync(file, over)
  return file
}

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)

/** Runs `touchstone client` with the words of a line: this node, and a folder of its own. */
async function judged(words: readonly string[], ...only: readonly string[]) {
  const cut = words.indexOf('--')
  const own = words.slice(1, cut).concat('--quiet', '--out', mkdtempSync(join(folder, 'out-')))
  const there = words
    .slice(cut + 1)
    .map((word) => (word.startsWith('examples/') ? join(root, word) : word))
    .map((word) => (word === 'node' ? process.execPath : word))
  const fewer = own.includes('--only') ? [] : only.flatMap((pattern) => ['--only', pattern])
  return run(['client', ...own, ...fewer, '--', ...there], { env: { ...process.env } })
}

describe.concurrent('a command in the guide ends well:', () => {
  test.for(commands.filter((line) => line.startsWith('npx @touchstone-suite/touchstone client ')))(
    '%s',
    async (line, { expect }) => {
      const { code, out, err } = await judged(wordsOf(line).slice(2), 'client-chat/*')
      expect(code, out + err).toBe(0)
    },
  )

  test('npx @touchstone-suite/touchstone simulate', async ({ expect }) => {
    const io = testIo()
    const { out } = io
    io.out = (text) => (out(text), io.stop())
    expect(await main(['simulate', '--port', '0'], io), io.printed.err).toBe(0)
    expect(io.printed.out).toContain('http://127.0.0.1:')
  })

  test('and there is no line that none of these tests looks at', ({ expect }) => {
    const known = /^npx @touchstone-suite\/touchstone (client .*-- |simulate$)/
    expect(commands.filter((line) => !known.test(line))).toEqual([])
  })
})

test('the client in the guide is judged well', async ({ expect }) => {
  const scenarios = ['client-chat/*', 'client-replies/*', 'client-cuts/*']
  const turns = ['--can', 'chat', ...scenarios.flatMap((scenario) => ['--only', scenario])]
  const words = [...turns, '--', process.execPath, written('client.mts', adapter)]
  const { code, out, err } = await judged(['client', ...words])
  expect(code, out + err).toBe(0)
  expect(out).not.toContain('0 passed')
})

test('the job for CI runs', async () => {
  const [recipe = ''] = inLanguage('yaml')
  const { jobs } = parse(recipe) as { jobs: { client: { steps: { run?: string }[] } } }
  const lines = jobs.client.steps.flatMap(({ run }) => run ?? [])
  const [client = '', ...others] = lines.filter((line) =>
    line.startsWith('npx @touchstone-suite/touchstone client '),
  )
  expect([others, lines.length]).toEqual([[], 3])
  const { code, out, err } = await judged(wordsOf(client).slice(2), 'client-replies/*')
  expect(code, out + err).toBe(0)
})

test('the code with the library runs', async () => {
  const file = written('library.mts', library)
  const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 60_000 })
  expect(stdout.trim()).toBe('You said: Where is my order?\nYou said: Thanks!')
})

test('the code for webhooks takes what is genuine and nothing else', async () => {
  const { take } = (await import(pathToFileURL(written('webhooks.mts', webhooks)).href)) as {
    take: (body: Uint8Array, signature: string | null, secret: string) => Promise<number>
  }
  const body = Buffer.from('{"eventType":"leads.submit"}')
  const genuine = `sha256=${createHmac('sha256', 'whsec_1').update(body).digest('hex')}`
  const answers = [
    take(body, genuine, 'whsec_1'),
    take(body, genuine, 'whsec_2'),
    take(body, null, 'whsec_1'),
  ]
  expect(await Promise.all(answers)).toEqual([204, 401, 401])
})

test('clauses and files that it names are there', () => {
  const named = [...text.matchAll(/`(LIB-[A-Z-]+)`/g)].map(([, id = '']) => id)
  expect(named.filter((id) => !Object.hasOwn(clauses, id))).toEqual([])
  expect(named.length).toBeGreaterThan(10)
  const linked = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, path = '']) =>
    join(root, 'docs', path),
  )
  expect(linked.filter((path) => !existsSync(path))).toEqual([])
})
