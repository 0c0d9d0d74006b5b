/**
 * Every block of the page about situations is run, and the answers it shows are compared with those that come. With
 * `TAKE_ANSWERS=1` the lines to paste and their answers are written anew instead: look at the difference.
 */
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main } from '../cli/main.ts'
import { testIo, type TestIo } from '../cli/process.double.ts'
import type { Ready } from '../cli/simulate/greeting.ts'
import { situationText } from '../cli/simulate/situation-text.ts'
import { situationNames } from '../simulator/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = readFileSync(join(root, 'docs/situations.md'), 'utf8')

interface Block {
  language: string
  text: string
}

const blocksOf = (part: string): readonly Block[] =>
  [...part.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = '', text = '']) => ({ language, text }))

const sections = page.split(/^## /m).slice(1)
const told = sections.flatMap((part) => {
  const [, name] = /--situation ([a-z-]+)$/m.exec(part) ?? []
  return name === undefined ? [] : [{ name, blocks: blocksOf(part) }]
})

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'touchstone-situations-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A command that runs until it is stopped, and what it printed first. */
async function started(
  words: readonly string[],
  at: 'out' | 'err',
): Promise<{ first: string; stop: () => Promise<void> }> {
  const io: TestIo = testIo()
  const first = new Promise<string>(
    (resolve) => (io[at] = (text) => ((io.printed[at] += text), resolve(text))),
  )
  const ended = main(words, io)
  const over = ended.then((code) => Promise.reject(new Error(`ended with ${code}: ${io.printed.err}`)))
  over.catch(() => undefined)
  const stop = async (): Promise<void> => (io.stop(), void (await ended))
  return { first: await Promise.race([first, over]), stop }
}

/** An endpoint that answers 500 twice, on any free port in place of that of the page. */
async function failingAtFirst({ url, agents, sessions, situation }: Ready): Promise<() => Promise<void>> {
  if (situation === undefined || !('webhook' in situation)) return () => Promise.resolve()
  const { first, stop } = await started(['listen', '--port', '0', '--answer', '500,500,200'], 'err')
  const [, port] = /:(\d+)\//.exec(first) ?? []
  await fetch(`${url}/api/agents/${agents.plain}/webhooks/${situation.webhook}`, {
    method: 'PATCH',
    headers: { cookie: `session=${sessions.main}` },
    body: JSON.stringify({ endpoint_url: `http://localhost:${port}/` }),
  })
  return stop
}

async function pasted(lines: string, url: string): Promise<string> {
  const shell = spawn('bash', ['-c', lines.replaceAll('http://127.0.0.1:4010', url)])
  const [out, err] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  return `${out}${err}`.trim()
}

/** Without what is another each time: moments, how long something took, the words of curl. */
const masked = (shown: string): string =>
  shown
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]+ GMT/g, 'MOMENT')
    .replaceAll(/("(?:tookMs|retry_after_seconds)":\s*|X-RateLimit-(?:Reset|Remaining): )\d+/g, '$1N')
    .replaceAll(/curl: \((?:52|56)\).*/g, 'curl: dropped')
    .replaceAll(/(curl: \(28\)).*/g, '$1')
    .replaceAll('\r', '')

/** Of JSON, what it says; of anything else, its text. */
function read({ language, text: shown }: Block): unknown {
  const plain = masked(shown.trim())
  return language === 'json' ? (JSON.parse(plain.replaceAll(/: ?N\b/g, ':"N"')) as unknown) : plain
}

test('the page tells every situation, in the order of the list', () => {
  expect(told.map(({ name }) => name)).toEqual(situationNames)
})

/** The lines to paste that a simulator prints at the address of the page. */
function printed({ situation }: Ready): readonly string[] {
  const told = situation ? situationText('http://127.0.0.1:4010', situation, false) : ''
  return [...told.matchAll(/^ {2}curl [^]*?(?=\n {3}→)/gm)].map(
    ([lines]) => `${lines.replaceAll(/^ {2}/gm, '')}\n`,
  )
}

let taken = page
/** Puts what came in the place of what the page shows. */
function take(
  name: string,
  blocks: readonly Block[],
  came: readonly (readonly [line: string, answer: string])[],
) {
  const old = sections.find((part) => part.includes(`--situation ${name}\n`)) ?? ''
  const curls = blocks.flatMap((block, index) => (block.language === 'sh' ? [index] : []))
  const renewed = came.reduce((part, [line, answer], at) => {
    const [pasted, shown] = [blocks[curls[at] ?? -1], blocks[(curls[at] ?? -2) + 1]]
    const fitting = shown?.language === 'json' ? laidOut(JSON.parse(answer)) : answer
    return part.replace(
      `${pasted?.text}\`\`\`\n\n\`\`\`${shown?.language}\n${shown?.text}`,
      () => `${line}\`\`\`\n\n\`\`\`${shown?.language}\n${fitting.replaceAll('\r', '')}\n`,
    )
  }, old)
  taken = taken.replace(old, () => renewed)
}

/** JSON with as much on a line as fits. */
function laidOut(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/\[ | \]/g, (at) => at.trim())
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= 100) return flat
  const more = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const rows = Object.entries(value).map(([name, one]) =>
    Array.isArray(value) ? laidOut(one, more) : `${JSON.stringify(name)}: ${laidOut(one, more)}`,
  )
  return `${open}\n${rows.map((row) => more + row).join(',\n')}\n${indent}${close}`
}

describe('the lines to paste are answered as the page shows:', { timeout: 20_000 }, () => {
  const taking = process.env['TAKE_ANSWERS'] !== undefined
  afterAll(() => (taking ? writeFileSync(join(root, 'docs/situations.md'), taken) : undefined))

  test.for(told)('$name', async ({ name, blocks }) => {
    const { first, stop } = await started(['simulate', '--port', '0', '--json', '--situation', name], 'out')
    const ready = JSON.parse(first) as Ready
    const close = await failingAtFirst(ready)
    const lines = printed(ready)
    const answers: (readonly [string, string])[] = []
    for (const line of lines) answers.push([line, await pasted(line, ready.url)])
    await Promise.all([close(), stop()])
    if (taking) return take(name, blocks, answers)

    const curls = blocks.flatMap((block, index) => (block.language === 'sh' ? [index] : []))
    expect(curls.map((index) => blocks[index]?.text)).toEqual(lines)
    for (const [at, index] of curls.entries()) {
      const shown = blocks[index + 1] ?? { language: 'text', text: 'nothing' }
      expect(read({ ...shown, text: answers[at]?.[1] ?? '' }), lines[at]).toEqual(read(shown))
    }
    return expect(lines).toHaveLength(ready.situation?.steps.length ?? 0)
  })
})

test('the code runs, one block after the other', { timeout: 30_000 }, async () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string>
  }
  const source = (name: string): string => {
    const built = exports[name.replace(/^touchstone/, '.')] ?? `nothing for ${name}`
    return pathToFileURL(join(root, built.replace('./dist/', '').replace(/\.js$/, '.ts'))).href
  }
  const code = told.flatMap(({ name, blocks }) =>
    blocks.filter(({ language }) => language === 'ts').map(({ text: lines }) => ({ name, lines })),
  )
  const files = code.map(({ name, lines }) => {
    const file = join(folder, `${name}.mts`)
    writeFileSync(
      file,
      lines.replaceAll(/from '(touchstone[^']*)'/g, (_, room: string) => `from '${source(room)}'`),
    )
    return pathToFileURL(file).href
  })
  const all = join(folder, 'all.mts')
  writeFileSync(all, files.map((file) => `await import('${file}')\nconsole.log('${file}')\n`).join(''))
  const { stdout } = await promisify(execFile)(process.execPath, [all], { timeout: 25_000 })

  expect(stdout.trim().split('\n')).toEqual(files)
  expect(files).toHaveLength(situationNames.length)
})

test('a conversation is recorded, played and checked as the page says', async () => {
  const { first, stop } = await started(['simulate', '--port', '0', '--json'], 'out')
  const { url, agents, keys } = JSON.parse(first) as Ready
  const [, replies = ''] =
    /^```yaml\n(# replies\.yaml\n[^]*?)^```$/m.exec(readFileSync(join(root, 'docs/simulate.md'), 'utf8')) ??
    []
  writeFileSync(join(folder, 'replies.yaml'), replies)
  const lines = sections
    .slice(-2)
    .flatMap((part) => blocksOf(part))
    .flatMap(({ text: block }) =>
      block
        .replaceAll(/\\\n\s*/g, '')
        .trim()
        .split('\n'),
    )
  for (const line of lines) {
    const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)]
      .map(([, single, double, plain]) => single ?? double ?? plain ?? '')
      .map((word) => word.replace('http://127.0.0.1:4010', url).replace('$AGENT', agents.plain))
      .map((word) => (/^\w+\.yaml$/.test(word) ? join(folder, word) : word))
      .slice(2)
    const io = testIo({ env: { SERVICE_API_KEY: keys.main } })
    if (words[0] === 'simulate') io.out = () => io.stop()
    const more = words[0] === 'simulate' ? ['--port', '0'] : []
    expect(await main([...words, ...more], io), `${line}\n${io.printed.err}`).toBe(0)
  }
  await stop()

  expect(lines.length).toBeGreaterThan(2)
  expect(readFileSync(join(folder, 'order.yaml'), 'utf8')).toContain('Where is my order?')
})

test('what the page links to is there', () => {
  const links = [...page.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, path = '']) => path)
  expect(links.filter((path) => !existsSync(join(root, 'docs', path)))).toEqual([])
  expect(links).not.toEqual([])
})
