/** Runs the commands of docs/receiver.md against the receiver that it starts. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiverCommand } from '../../cli/receiver/command.ts'
import { run, testIo } from '../../cli/process.testkit.ts'
import { clauseIds, gaps } from '../../spec/index.ts'
import { receiverScenarios } from '../../suites/receivers/index.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(join(root, 'docs/receiver.md'), 'utf8')
const blocks = [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
const inLanguage = (wanted: string): readonly string[] =>
  blocks.flatMap(([, language, block = '']) => (language === wanted ? [block] : []))
const lines = inLanguage('').flatMap((block) => block.trim().split('\n'))
const exported = lines
  .filter((line) => line.startsWith('export '))
  .flatMap((line) => line.slice(7).split(' '))
const env = Object.fromEntries(exported.map((pair) => pair.split('=') as [string, string]))
const starts = lines.filter((line) => line.startsWith('node '))
const commands = lines.filter((line) => line.startsWith('npx @touchstone-suite/touchstone '))

const folder = mkdtempSync(join(tmpdir(), 'touchstone-receivers-docs-'))
let child: ChildProcess
let port: string

beforeAll(async () => {
  const [, file = ''] = starts[0]?.split(' ') ?? []
  const settings = { ...process.env, ...env, PORT: '0' }
  const started = spawn(process.execPath, [join(root, file)], {
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child = started
  const [line] = (await once(createInterface(started.stdout), 'line')) as [string]
  port = /\d+$/.exec(line)?.[0] ?? ''
})
afterAll(() => {
  child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

test('there is no line that is not typed here', () => {
  expect(
    lines.filter(
      (line) => !/^(npx @touchstone-suite\/touchstone receiver |node examples\/|export )/.test(line),
    ),
  ).toEqual([])
  expect([starts.length, commands.length]).toEqual([1, 2])
})

test.for(commands)('%s', async (line) => {
  const words = [...line.replaceAll(':3000', `:${port}`).matchAll(/'([^']*)'|(\S+)/g)]
  const [, , ...argv] = words.map(([, quoted, plain = '']) => quoted ?? plain)
  const { code, out } = await run([...argv, '--out', join(folder, 'out'), '--quiet'], { env })
  const whole = line.includes('--effects')
  expect([code, out]).toEqual([0, expect.stringContaining(whole ? '✓ conformant' : 'partial')])
})

test('the code runs', async () => {
  const [code = ''] = inLanguage('ts')
  const file = join(folder, 'example.mts')
  const source = pathToFileURL(join(root, 'suites/index.ts')).href
  writeFileSync(
    file,
    code.replace("'@touchstone-suite/touchstone/suites'", `'${source}'`).replace(':3000', `:${port}`),
  )
  const { stdout } = await promisify(execFile)(process.execPath, [file])
  expect(stdout).toBe('partial 38\n')
})

test('the vectors are in the package under the name that it gives', () => {
  const [code = ''] = inLanguage('js')
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: object }
  const [, name = ''] = /'@touchstone-suite\/touchstone(.+?)'/.exec(code) ?? []
  const file: unknown = Object.entries(exports).find(([path]) => path === `.${name}`)?.[1]
  expect(file).toBe('./spec/vectors/signature.json')
})

test('files, clauses, scenarios, gaps and options that it names are there', () => {
  const linked = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) =>
    join(root, 'docs', path.replace(/#.*/, '')),
  )
  expect(linked.filter((path) => !existsSync(path))).toEqual([])
  const named = [...text.matchAll(/\b(?:RECV|GAP)-[A-Z0-9-]+\b(?!\*)/g)].map(([id]) => id)
  expect(named.filter((id) => ![...clauseIds, ...Object.keys(gaps)].some((known) => known === id))).toEqual(
    [],
  )
  const scenarios = [...text.matchAll(/`(receiver-[\w-]+\/)(\w*)/g)].map(
    ([, file = '', name = '']) => file + name,
  )
  expect(
    scenarios.filter((id) => !Object.keys(receiverScenarios).some((known) => known.startsWith(id))),
  ).toEqual([])
  const help = receiverCommand({ io: testIo(), end: () => {} }).helpInformation()
  const options = [...text.matchAll(/`?(--[a-z][a-z-]+)/g)].map(([, option = '']) => option)
  expect(options.filter((option) => !help.includes(option))).toEqual([])
})
