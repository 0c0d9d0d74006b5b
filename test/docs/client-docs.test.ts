/** The variables, options and lines in docs/client.md are those of the command. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { clientCommand } from '../../cli/client/command.ts'
import { taskValues, variablesOf } from '../../cli/client/task-variables.ts'
import { createReportStore, createReportParser } from '../../cli/client/report-lines.ts'
import { testIo } from '../../cli/process.testkit.ts'
import { clientScenarios } from '../../suites/clients/index.ts'
import { touchstoneBin } from '../bundled.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(join(root, 'docs/client.md'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'touchstone-client-docs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const cells = (row: RegExp): readonly (readonly string[])[] =>
  [...text.matchAll(row)].map(([, ...found]) => found)

test('every variable and placeholder is documented, and no other', () => {
  const service = { baseUrl: 'b', apiKey: 'k', agent: 'a', nextRequest: () => Promise.resolve() }
  const values = taskValues({ service, task: { do: 'discover' } })
  const rows = cells(/^\| `((?:SERVICE|TOUCHSTONE)_\w+)` +\| `\{(\w+)\}`/gm)
  expect(rows.map(([variable]) => variable)).toEqual(Object.keys(variablesOf(values)))
  expect(rows.map(([, placeholder]) => placeholder)).toEqual(Object.keys(values))
})

test('every line of the protocol is one, and each of its kinds is shown', () => {
  const problems: string[] = []
  const kept = createReportStore()
  const said = createReportParser({ onReport: kept.add, onProblem: (problem) => problems.push(problem) })
  for (const [line = ''] of cells(/^\| `(touchstone \{.*?\})` +\|/gm)) said.write(Buffer.from(`${line}\n`))
  expect(problems).toEqual([])
  expect(kept.reported.map(({ saw }) => saw)).toEqual([
    'event',
    'reply',
    'error',
    'result',
    'finished',
    'unfinished',
  ])
})

test('every option is documented', () => {
  const options = clientCommand({ io: testIo(), end: () => undefined }).options.map(({ long }) => long ?? '')
  expect(
    options.filter((option) => !text.includes(`\`${option}`) && !text.includes(`, \`${option}`)),
  ).toEqual([])
})

test('every pattern of scenarios in it matches some', () => {
  const patterns = [...text.matchAll(/client-[\w-]*\*?\/\*/g)].map(([pattern]) => pattern)
  expect(patterns.length).toBeGreaterThan(0)
  for (const pattern of patterns) {
    const matching = new RegExp(`^${pattern.replaceAll('*', '.*')}$`)
    expect(
      Object.keys(clientScenarios).some((id) => matching.test(id)),
      pattern,
    ).toBe(true)
  }
})

test('every scenario with another base URL than the usual is named', () => {
  const unusual = Object.entries(clientScenarios).filter(([, { steps }]) =>
    Object.values(steps).some(({ service }) => service?.basePath !== undefined),
  )
  expect(unusual.length).toBeGreaterThan(0)
  expect(unusual.map(([id]) => id).filter((id) => !text.includes(`\`${id}\``))).toEqual([])
})

test('its first line judges the client to copy', { timeout: 120_000 }, async () => {
  const [line = ''] = [...text.matchAll(/^npx @touchstone-suite\/(touchstone client -- python3 .*)$/gm)].map(
    ([, found]) => found,
  )
  const [, ...words] = line.split(' ')
  const only = ['--only', 'client-chat/turn', '--out', join(folder, 'out')]
  const [command = '', ...rest] = words
  const run = promisify(execFile)
  const argv = [touchstoneBin, command, ...only, ...rest]
  const { stdout } = await run(process.execPath, argv, { cwd: root })
  expect(stdout).toContain('3 passed, 0 failed')
})
