import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../simulator/index.ts'
import { states } from '../../spec/index.ts'
import { createControl } from '../../suites/runner/states/control.ts'
import { createdLine } from '../../bundle/created.ts'
import { run, type Captured } from '../process.testkit.ts'

let simulator: Simulator
let folder: string
let file: string
beforeEach(async () => {
  simulator = await createSimulator()
  folder = mkdtempSync(join(tmpdir(), 'touchstone-cleanup-'))
  file = join(folder, 'touchstone.yaml')
  const { agents } = simulator.tenant
  writeFileSync(
    file,
    [
      'apiVersion: touchstone/v1',
      `target: { name: ours, kind: staging, baseUrl: "${simulator.url}" }`,
      'principals: { main: { bearer: "env:KEY", scopes: [chat] } }',
      `agents: { plain: ${agents.plain} }`,
      `control: { url: "${controlUrl()}" }`,
      'states:',
      '  chat.paused: { provide: control }',
      ...Object.keys(states)
        .filter((state) => state !== 'chat.paused')
        .map((state) => `  ${state}: { provide: none, why: not here }`),
    ].join('\n'),
  )
})
afterEach(async () => {
  await simulator.close()
  rmSync(folder, { recursive: true })
})

const controlUrl = (): string => `${simulator.url}/_sim/v1/tenants/${simulator.tenant.id}`
const ledger = (): string => join(folder, 'created.ndjson')
const clean = (): Promise<Captured> => run(['cleanup', folder, '--target', file], { env: { KEY: 'sk-1' } })
const isPaused = (): boolean | undefined => {
  const { agents, state } = simulator.tenant
  return state.agents.get(agents.plain)?.paused
}

/** As a killed run leaves it: entered, and only written down as entered. */
async function enterPaused(by: 'control' | 'http' = 'control'): Promise<void> {
  const about = { agentId: simulator.tenant.agents.plain }
  const answer = await createControl({ url: controlUrl(), token: null }).enter('chat.paused', about)
  if (!answer.ok) throw new Error(answer.because)
  const { handle } = answer.prepared
  writeFileSync(ledger(), createdLine({ id: 's 1', what: 'state', state: 'chat.paused', by, about, handle }))
}

describe('touchstone cleanup', () => {
  test('leaves what a killed run left, writes that down, and finds nothing the next time', async () => {
    await enterPaused()
    expect(isPaused()).toBe(true)
    const { code, out } = await clean()
    expect(out).toBe(`✓ chat.paused (by control, agent ${simulator.tenant.agents.plain}) is left\n`)
    expect(code).toBe(0)
    expect(isPaused()).toBe(false)
    expect(readFileSync(ledger(), 'utf8')).toMatch(/\n\{"gone":"s 1"\}\n$/)
    expect(await clean()).toMatchObject({ code: 0, out: `Nothing is left of the run in ${folder}.\n` })
  })

  test('says what it could not leave and ends with 3', async () => {
    await enterPaused('http')
    const { code, out, err } = await clean()
    expect(out).toMatch(
      /^✗ chat\.paused \(by http, agent .*\) may still hold: .*; give the file of that run\n$/,
    )
    expect(err).toBe('Undo the rest by hand, or fix what is said above and run this again.\n')
    expect(code).toBe(3)
    expect(isPaused()).toBe(true)
  })

  test.for([
    [
      ['nowhere', '--target', 'x.yaml'],
      'error: there is no folder nowhere: name the one that the run wrote to.\n',
    ],
    [
      ['.', '--target', 'simulator'],
      'error: --target simulator: a simulator ends with its run, and so does what was left there.\n',
    ],
    [['.'], "error: required option '--target <file>' not specified; see `touchstone cleanup --help`\n"],
  ] as const)('refuses %j', async ([argv, message]) => {
    const { code, err } = await run(['cleanup', ...argv])
    expect(err).toBe(message)
    expect(code).toBe(2)
  })
})
