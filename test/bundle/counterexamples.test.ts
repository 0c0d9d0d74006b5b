/** A counterexample shows a failure again with the fault, and never has a key in it. */
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { test } from 'vitest'
import { run } from '../../cli/process.testkit.ts'
import { createSimulator, type FaultId } from '../../simulator/index.ts'
import { counterexampleFolder } from '../../bundle/names.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const folder = temporaryFolder()
const cases: readonly (readonly [fault: FaultId, check: string, withIt: string, withoutIt: string])[] = [
  ['replay-unmarked', 'idempotency-replay/json/IDEM-REPLAY-HEADER', '200 200', '200 200 replayed'],
  ['empty-message-accepted', 'chat-request/message-rules/REQ-MESSAGE-EMPTY', '200', '400'],
]

async function answers(file: string, faults: readonly FaultId[]): Promise<string> {
  await using simulator = await createSimulator({ faults })
  const { keys, agents } = simulator.tenant
  const env = { ...process.env, BASE_URL: simulator.url, API_KEY: keys.main, AGENT_ID: agents.plain }
  const { stdout } = await promisify(execFile)('bash', ['-c', `bash '${file}' || true`], { env })
  return stdout
    .split(/^HTTP/m)
    .slice(1)
    .map((one) => `${/ (\d+)/.exec(one)?.[1]}${/idempotent-replay: true/i.test(one) ? ' replayed' : ''}`)
    .join(' ')
}

test.concurrent.for(cases)('%s, %s', async ([fault, check, broken, sound], { expect, skip }) => {
  const out = join(folder, fault)
  const { code } = await run([
    'check',
    'simulator',
    '--quiet',
    '--fault',
    fault,
    '--only',
    check,
    '--out',
    out,
  ])
  expect(code).toBe(1)
  const left = join(out, counterexampleFolder(check))
  expect(readdirSync(left).sort()).toEqual(['exchanges.ndjson', 'repro.sh'])
  const script = join(left, 'repro.sh')
  expect(statSync(script).mode & 0o100).not.toBe(0)
  for (const file of readdirSync(left))
    expect(readFileSync(join(left, file), 'utf8')).not.toMatch(/\bsk-[0-9a-f]{8}/)
  skip(spawnSync('curl', ['--version']).error !== undefined, 'this machine has no curl')
  expect([await answers(script, [fault]), await answers(script, [])]).toEqual([
    expect.stringContaining(broken),
    expect.stringContaining(sound),
  ])
})
