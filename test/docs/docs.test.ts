/** README, docs/check.md and docs/simulate.md are run; of all other pages, commands, options and names have to exist. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exitCodes } from '../../cli/exit-codes.ts'
import { createProgram, main } from '../../cli/main.ts'
import { run, testIo } from '../../cli/process.testkit.ts'
import { sessionHeader } from '../../cli/simulate/greeting.ts'
import { createSimulator, faults, variants, type Simulator } from '../../simulator/index.ts'
import { gaps } from '../../spec/index.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const executed = ['README.md', 'docs/check.md', 'docs/simulate.md']
const documents = [
  ...executed,
  ...globSync(
    ['CONTRIBUTING.md', 'docs/**/*.md', 'examples/**/*.md', 'kits/**/*.md', '.github/SECURITY.md'],
    { cwd: root },
  ).filter((path) => !executed.includes(path) && !path.includes('node_modules')),
].map((path) => path.replaceAll('\\', '/'))
const textOf = (document: string): string => readFileSync(join(root, document), 'utf8')

interface Block {
  document: string
  language: string
  text: string
}

const blocks: readonly Block[] = documents.flatMap((document) =>
  [...textOf(document).matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    document,
    language,
    text,
  })),
)
const inLanguage = (language: string): readonly Block[] =>
  blocks.filter((block) => block.language === language && executed.includes(block.document))

/** Every line of a shell block is a command; a comment after it is not part of it. */
const commands = [
  ...new Set(
    inLanguage('').flatMap(({ text }) => text.split('\n').map((line) => line.replace(/\s+#.*$/, ''))),
  ),
].filter((line) => line.trim() !== '')

const failed = 'idempotency-replay/json/IDEM-REPLAY-HEADER'
const folder = temporaryFolder()
/** A receiver that the documents start, and its port. */
let receiver: ChildProcess
let port: string
/** The one that the documents control, with a delivery and a pending approval. */
let controlled: Simulator
beforeAll(async () => {
  writeFileSync(join(folder, 'touchstone.yaml'), textOf('docs/target.example.yaml'))
  for (const { text } of inLanguage('yaml')) {
    const [, name] = /^# (\S+)\n/.exec(text) ?? []
    if (name !== undefined) writeFileSync(join(folder, name), text)
  }
  const broken = ['check', 'simulator', '--fault', 'replay-unmarked', '--only', failed, '--quiet']
  const out = join(folder, 'failed')
  await main([...broken, '--out', out], testIo())
  cpSync(out, folder, { recursive: true })
  copyFileSync(join(out, 'exchanges.har'), join(folder, 'recording.har'))
  const started = spawn(process.execPath, [join(root, 'examples/receivers/node-http.mjs')], {
    env: { ...process.env, ...environment(), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  receiver = started
  const [line] = (await once(createInterface(started.stdout), 'line')) as [string]
  port = /\d+$/.exec(line)?.[0] ?? ''
  controlled = await createSimulator()
  await prepare(controlled)
})

async function prepare({ tenant, url }: Simulator): Promise<void> {
  const send = (path: string, headers: readonly (readonly [string, string])[], body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: [...headers, ['content-type', 'application/json']] as [string, string][],
      body: JSON.stringify(body),
    })
  const webhook = {
    name: 'Mine',
    endpoint_url: `http://localhost:${port}/webhooks`,
    events: ['leads.submit'],
  }
  await send(`/api/agents/${tenant.agents.plain}/webhooks`, [sessionHeader(tenant)], webhook)
  tenant.emit('leads.submit')
  const key = ['authorization', `Bearer ${tenant.keys.main}`] as const
  const input = { customerId: 'cus_1001', reason: 'duplicate' }
  await send('/api/v1/operation-executions/customers.erase', [key, ['idempotency-key', 'k']], { input })
}

afterAll(async () => {
  await controlled.close()
  receiver.kill('SIGKILL')
})

/** What the documents take from the environment: their own keys, and whatever the target files in them name. */
function environment(): Record<string, string> {
  const files = [textOf('docs/target.example.yaml'), ...inLanguage('yaml').map(({ text }) => text)]
  const named = [...files.join('\n').matchAll(/env:(\w+)/g)].map(([, name = '']) => name)
  const filled = named.map((name) => [
    name,
    name.endsWith('URL') ? `https://${name.toLowerCase().replaceAll('_', '-')}.example` : `sk-${name}-0001`,
  ])
  const { PATH } = process.env
  return { ...Object.fromEntries(filled), PATH, STAGING_KEY: 'sk-staging-0001', WEBHOOK_SECRET: 'whsec_0001' }
}

test.for(documents)('%s: each fence is a line of its own, and is closed', (document) => {
  const fences = textOf(document).match(/.*```.*/g) ?? []
  expect([fences.filter((line) => !/^ *```\w*$/.test(line)), fences.length % 2]).toEqual([[], 0])
})

/** The words of a command line; a quoted one is one. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)

/** The same word for a place that is there while this runs. */
const there = (word: string): string =>
  /^[\w-]+\.(yaml|ndjson|json|har)$/.test(word)
    ? join(folder, word)
    : word
        .replace(/^file:(?=[\w-]+\.db$)/, () => `file:${mkdtempSync(join(folder, 'store-'))}/`)
        .replace('localhost:3000/webhooks', `localhost:${port}/webhooks`)
        .replace(/^recording$/, () => mkdtempSync(join(folder, 'recording-')))

/** Runs `touchstone` with what makes it fit for a test: any free port, a folder of its own, an end. */
async function touchstone(words: readonly string[]): Promise<{ code: number; err: string }> {
  const [name = '', ...given] = words.map(there)
  // They read or write touchstone.yaml in the folder of the reader.
  const usual: Readonly<Record<string, string>> = {
    init: join(mkdtempSync(join(folder, 'new-')), 'touchstone.yaml'),
    plan: join(folder, 'touchstone.yaml'),
  }
  const rest = given.length === 0 ? [usual[name] ?? []].flat() : given
  // Everything is asked of the simulator elsewhere; here the least is enough.
  const least = words.some((word) => ['--only', '--profile'].includes(word)) ? [] : ['--profile', 'smoke']
  const more: Readonly<Record<string, readonly string[]>> = {
    check: ['--quiet', '--out', mkdtempSync(join(folder, 'out-')), ...least],
    simulate: ['--port', '0'],
    listen: ['--port', '0'],
    'sim tail': ['--no-follow'],
    judge: ['--quiet', '--out', mkdtempSync(join(folder, 'out-'))],
    proxy: ['--quiet', '--listen', '127.0.0.1:0'],
    receiver: ['--quiet', '--out', mkdtempSync(join(folder, 'out-'))],
  }
  const io = testIo({ env: { ...environment(), TOUCHSTONE_CONTROL_URL: controlled.url } })
  const { out, err } = io
  // They run until they are stopped: as soon as they have greeted.
  if (name === 'simulate') io.out = (text) => (out(text), io.stop())
  if (name === 'listen' || name === 'proxy') io.err = (text) => (err(text), io.stop())
  const code = await main([name, ...rest, ...(more[name === 'sim' ? `sim ${rest[0]}` : name] ?? [])], io)
  return { code, err: io.printed.err }
}

/** A live server cannot be asked here, but what would be asked of it can be planned. */
const offline = (words: readonly string[]): readonly string[] =>
  ['check', 'doctor'].includes(words[0] ?? '') && words[1] !== 'simulator'
    ? ['plan', ...words.slice(1)]
    : words[0] === 'exec'
      ? // What it would run is the reader's own.
        [...words.slice(0, words.indexOf('--') + 1), process.execPath, '--version']
      : words[0] === 'client'
        ? // Every scenario is run elsewhere; here one will do.
          [
            'client',
            '--quiet',
            '--only',
            'LIB-CHAT',
            '--out',
            mkdtempSync(join(folder, 'out-')),
            ...words.slice(1),
          ]
        : words

/**
 * Several commands run at once here, beside other tests. Where a race of a scenario did not come about for that, the run
 * says rightly that less was exercised than has to be; then it is run again.
 */
async function untilExercised<T extends { code: number }>(run: () => Promise<T>, times = 3): Promise<T> {
  const ended = await run()
  return ended.code === exitCodes.lessExercised && times > 1 ? untilExercised(run, times - 1) : ended
}

describe('a command in the documents does what they say:', () => {
  const own = commands.filter((line) => /^npx touchstone \w/.test(line))

  test.concurrent.for(own)('%s', async (line) => {
    const words = wordsOf(line.replace(/^npx touchstone /, ''))
    // What stands for the command of the reader sends no request.
    const [name = ''] = words
    // The recording is of a service with a fault, and what stands for the command of the reader sends no request.
    const breaks =
      (name === 'check' && words.includes('--fault')) ||
      (name === 'exec' && words.includes('--require')) ||
      name === 'judge'
    const { code, err } = await untilExercised(() => touchstone(offline(words)))
    expect(code, err).toBe(name === 'proxy' ? exitCodes.lessExercised : breaks ? 1 : 0)
  })

  const scripts = commands.flatMap((line) =>
    [...line.matchAll(/npm (?:run )?([\w:-]+)/g)].map(([, name = '']) => name),
  )

  test.for([...new Set(scripts)])('npm %s is there (the run itself is a step of CI)', (name) => {
    const { scripts: known } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
    expect(['ci', ...Object.keys(known)]).toContain(name)
  })

  test('and there is no line that none of these tests looks at', () => {
    const known = /^(npx touchstone \w|npm |export \w+=)/
    expect(commands.filter((line) => !known.test(line))).toEqual([])
  })
})

test('npx finds the command in a clone', async () => {
  const { stdout } = await promisify(execFile)('npx', ['touchstone', '--version'], { cwd: root })
  expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/)
})

describe('the code in the documents runs:', () => {
  const { exports } = JSON.parse(textOf('package.json')) as { exports: Record<string, string> }
  /** The source behind a name of the package, so that nothing has to be built. */
  const source = (name: string): string => {
    const built = exports[name.replace('@touchstone-suite/touchstone', '.')] ?? `nothing for ${name}`
    return join(root, built.replace('./dist/', '').replace(/\.js$/, '.ts'))
  }
  const imports = /^import \{ (.+) \} from '(@touchstone-suite\/touchstone[^']*)'$/gm

  test('the Python client gets its reply after its stream was cut', async () => {
    const [block] = blocks.filter(({ text }) => text.startsWith('# stream.py'))
    const file = join(folder, 'stream.py')
    writeFileSync(file, block?.text ?? 'raise')
    const { code, err } = await run(['exec', '--', 'python3', file], { env: { PATH: process.env['PATH'] } })
    expect(code, err).toBe(0)
  })

  test.for(inLanguage('ts'))('$document: $text', async ({ text }, { skip }) => {
    for (const [, names = '', room = ''] of text.matchAll(imports)) {
      const found = (await import(pathToFileURL(source(room)).href)) as object
      expect(Object.keys(found)).toEqual(expect.arrayContaining(names.split(', ')))
    }
    if (text.includes('describeContract('))
      skip('its imports are there; the rest needs a server at localhost:3000')
    const file = join(mkdtempSync(join(folder, 'code-')), 'example.mts')
    writeFileSync(
      file,
      text.replace(
        imports,
        (_, names, room) => `import { ${names} } from '${pathToFileURL(source(String(room))).href}'`,
      ),
    )
    await promisify(execFile)(process.execPath, [file], { timeout: 20_000, cwd: folder })
  })
})

/** Each `touchstone …` of a text, as its words up to the end of the command. */
const commandLines = (text: string): readonly (readonly string[])[] =>
  [...text.matchAll(/(?:npx |\.bin\/)(?:@touchstone-suite\/)?touchstone (?!-)([^\n`|;&]+)/g)].map(
    ([, line = '']) => wordsOf(line.replace(/ #.*$/, '').replace(/ -- .*$/, '')),
  )

/** What the command line does not have of these words. */
function unknownIn(words: readonly string[]): readonly string[] {
  const program: Command = createProgram({ io: testIo(), end: () => {} })
  let command = program
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word))
    if (!next) break
    command = next
  }
  if (command === program && words[0] !== 'help') return [words.join(' ')]
  const known = [...command.options.map(({ long }) => long), '--help', '--version']
  return words.flatMap((word) => {
    const [, option] = /^(--[\w-]+)/.exec(word) ?? []
    return option === undefined || known.includes(option) ? [] : [`${command.name()} ${option}`]
  })
}

describe.each(documents)('%s', (document) => {
  const text = textOf(document)
  const own = blocks.filter((block) => block.document === document).map((block) => block.text)

  test('has commands and options that there are', () => {
    const inline = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
    expect([...own, ...inline].flatMap(commandLines).flatMap(unknownIn)).toEqual([])
  })

  test('names scripts, faults, variants and interpretations that there are', () => {
    const named = (pattern: RegExp): readonly string[] =>
      [...text.matchAll(pattern)].map(([, name = '']) => name)
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
    const interpretations = Object.entries(gaps).flatMap(([gap, row]) =>
      Object.keys('interpretations' in row ? row.interpretations : {}).map((one) => `${gap}=${one}`),
    )
    const known = new Set([
      ...Object.keys(scripts),
      ...Object.keys(faults),
      ...Object.keys(variants),
      ...interpretations,
    ])
    const names = [
      ...named(/npm run ([\w:-]+)/g),
      ...named(/--fault ([a-z][\w-]*)/g),
      ...named(/--variant ([a-z][\w-]*)/g),
      ...named(/--interpret (GAP[\w=-]+)/g),
    ]
    expect(names.filter((name) => !known.has(name))).toEqual([])
  })

  test('links to files that there are', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, path = '']) =>
      join(root, dirname(document), path),
    )
    expect(links.filter((path) => !existsSync(path))).toEqual([])
  })
})
