/** Every command of docs/replies.md runs, one after the other, against a simulator. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { main } from '../../cli/main.ts'
import { testIo } from '../../cli/process.testkit.ts'
import type { Ready } from '../../cli/simulate/greeting.ts'
import { startCommand } from './background-command.ts'

const docs = fileURLToPath(new URL('../../docs', import.meta.url))
const page = readFileSync(join(docs, 'replies.md'), 'utf8')
const commands = [...page.matchAll(/^```(?:sh)?\n(npx [^]*?)^```$/gm)].flatMap(([, block = '']) =>
  block
    .replaceAll(/\\\n\s*/g, '')
    .trim()
    .split('\n'),
)

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-replies-'))
  const [, file = ''] = /^```yaml\n(# replies\.yaml\n[^]*?)^```$/m.exec(page) ?? []
  writeFileSync(join(folder, 'replies.yaml'), file)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  )

test('the commands of the page succeed', async () => {
  const { first, stop } = await startCommand(['simulate', '--port', '0', '--json'], 'out')
  const { url, agents, keys } = JSON.parse(first) as Ready
  for (const line of commands) {
    const words = wordsOf(line)
      .map((word) => word.replace('http://127.0.0.1:4010', url).replace('$AGENT', agents.plain))
      .map((word) => (/^\w+\.yaml$/.test(word) ? join(folder, word) : word))
      .slice(2)
    const io = testIo({ env: { SERVICE_API_KEY: keys.main } })
    if (words[0] === 'simulate') io.out = () => io.stop()
    const more = words[0] === 'simulate' ? ['--port', '0'] : []
    expect(await main([...words, ...more], io), `${line}\n${io.printed.err}`).toBe(0)
  }
  await stop()

  expect(commands).toHaveLength(4)
  expect(readFileSync(join(folder, 'order.yaml'), 'utf8')).toContain('Where is my order?')
})

test('the linked files exist', () => {
  const links = [...page.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, path = '']) => path)
  expect(links.filter((path) => !existsSync(join(docs, path)))).toEqual([])
  expect(links).not.toEqual([])
})
