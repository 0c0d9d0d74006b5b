/**
 * docs/situations.md and docs/situations-operations.md have the steps of every situation, their code runs, and the
 * printed curl commands get the expected responses. With `UPDATE_PAGE=1` the steps are rewritten.
 */
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Ready } from '../../cli/simulate/greeting.ts'
import { situationText } from '../../cli/simulate/situation-text.ts'
import { situationNames, situations, type PreparedStep, type SituationName } from '../../simulator/index.ts'
import { startCommand } from './background-command.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const files = ['situations', 'situations-operations'].map((name) => join(root, `docs/${name}.md`))
/** Between the two pages, which are read as one. */
const pageEnd = '\f'
const isUpdate = process.env['UPDATE_PAGE'] !== undefined
const [introduction = '', ...written] = files
  .map((file) => readFileSync(file, 'utf8'))
  .join(pageEnd)
  .split(/^## /m)
/** In update mode with a section for each situation, in the order of the list. */
const sections = isUpdate ? situationNames.map(sectionOf) : written
let page = [introduction, ...sections].join('## ')

function sectionOf(name: SituationName): string {
  const { title, shows } = situations[name]
  const sentence = `${shows.slice(0, 1).toUpperCase()}${shows.slice(1)}.`
  const fresh = `${name}\n\n${title}. ${sentence}\n\n1. …\n\n`
  return written.find((section) => nameOf(section) === name) ?? fresh
}

function nameOf(section: string): string {
  return section.slice(0, section.indexOf('\n'))
}
const codeOf = (part: string): string => /^```ts\n([^]*?)^```$/m.exec(part)?.[1] ?? ''

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'touchstone-situations-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Replaces a part of the page in update mode; otherwise expects the page to have it. */
function expectPart(current: string, expected: string): void {
  expect(current, `the page has no place for: ${expected}`).not.toBe('')
  if (isUpdate) page = page.replace(current, () => expected)
  expect(isUpdate ? expected : current).toBe(expected)
}

test('the pages have every situation, in the order of the list', () => {
  expect(sections.map(nameOf)).toEqual(situationNames)
})

function responseOf({ status, shows, timeoutMs }: PreparedStep): string {
  if (status !== null) return `${status}, \`${shows}\``
  return `no response: ${timeoutMs === undefined ? 'the connection is closed' : 'timeout'}`
}

const stepLines = (steps: readonly PreparedStep[]): string =>
  steps.map((step, index) => `${index + 1}. ${step.does} → ${responseOf(step)}\n`).join('')

/** An endpoint that returns 500 twice, on a free port instead of the default. */
async function failingEndpoint({ url, agents, sessions, situation }: Ready): Promise<() => Promise<void>> {
  if (situation?.name !== 'webhook-retry' || !('webhook' in situation)) return () => Promise.resolve()
  const { first, stop } = await startCommand(['listen', '--port', '0', '--answer', '500,500,200'], 'err')
  const [, port] = /:(\d+)\//.exec(first) ?? []
  await fetch(`${url}/api/agents/${agents.plain}/webhooks/${situation.webhook}`, {
    method: 'PATCH',
    headers: { cookie: `session=${sessions.main}` },
    body: JSON.stringify({ endpoint_url: `http://localhost:${port}/` }),
  })
  return stop
}

/** Output of a curl command in a shell, followed by the status; 000 without a response. */
async function pasted(command: string): Promise<string> {
  const shell = spawn('bash', ['-c', command.replace('curl ', String.raw`curl -w '\nstatus %{http_code}' `)])
  const [out, err] = await Promise.all([text(shell.stdout), text(shell.stderr)])
  return `${out}${err}`
}

describe('the printed commands get the expected responses:', { timeout: 20_000 }, () => {
  afterAll(() => {
    if (!isUpdate) return
    for (const [at, text] of page.split(pageEnd).entries()) writeFileSync(files[at] ?? '', text)
  })

  const named = sections.map((section) => ({ name: nameOf(section), section }))
  test.for(named)('$name', async ({ name, section }) => {
    const words = ['simulate', '--port', '0', '--json', '--situation', name]
    const { first, stop } = await startCommand(words, 'out')
    const ready = JSON.parse(first) as Ready
    const { situation, url } = ready
    if (!situation) throw new Error(`${name} was not prepared`)
    const close = await failingEndpoint(ready)
    const commands = [...situationText(url, situation, false).matchAll(/^ {2}(curl [^]*?)(?=\n {3}→)/gm)]
    const outputs: string[] = []
    for (const [, command = ''] of commands) outputs.push(await pasted(command))
    await Promise.all([close(), stop()])

    expect(outputs).toHaveLength(situation.steps.length)
    for (const [at, { status, shows }] of situation.steps.entries()) {
      expect(outputs[at]).toContain(`status ${status ?? '000'}`)
      expect(outputs[at]).toContain(shows)
    }
    expectPart(/(?:^\d\. .+\n)+/m.exec(section)?.[0] ?? '', stepLines(situation.steps))
  })
})

test('the code runs, each example after the first lines', { timeout: 30_000 }, async () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string>
  }
  const source = (name: string): string => {
    const built = exports[name.replace('@touchstone-suite/touchstone', '.')] ?? `nothing for ${name}`
    return pathToFileURL(join(root, built.replace('./dist/', '').replace(/\.js$/, '.ts'))).href
  }
  const shown = sections.filter((section) => codeOf(section) !== '')
  const examples = shown.map((section) => {
    const path = join(folder, `${nameOf(section)}.mts`)
    const code = `${codeOf(introduction)}${codeOf(section)}await simulator.close()\n`
    const resolved = code.replaceAll(
      /from '(@touchstone-suite\/touchstone[^']*)'/g,
      (_, name: string) => `from '${source(name)}'`,
    )
    writeFileSync(path, resolved)
    return pathToFileURL(path).href
  })
  const all = join(folder, 'all.mts')
  writeFileSync(all, examples.map((path) => `await import('${path}')\nconsole.log('${path}')\n`).join(''))
  const { stdout } = await promisify(execFile)(process.execPath, [all], { timeout: 25_000 })

  expect(stdout.trim().split('\n')).toEqual(examples)
  for (const section of shown) expect(codeOf(section)).toContain(`prepareSituation('${nameOf(section)}'`)
})

test('the linked files exist', () => {
  const links = [...page.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, path = '']) => path)
  expect(links.filter((path) => !existsSync(join(root, 'docs', path)))).toEqual([])
  expect(links).not.toEqual([])
})
