import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSimulator } from '../../simulator/index.ts'
import { main } from '../main.ts'
import { run, testIo } from '../process.testkit.ts'
import type { Ready } from './open.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const folder = temporaryFolder()

/** Starts a simulator, asks it once, and ends it. */
async function asked(argv: readonly string[]): Promise<string | null> {
  const { promise: printed, resolve } = Promise.withResolvers<string>()
  const io = testIo({ out: resolve })
  const code = main(['simulate', '--port', '0', '--json', ...argv], io)
  const line = await Promise.race([printed, code.then(() => Promise.reject(new Error(io.printed.err)))])
  const { url, keys, agents } = JSON.parse(line) as Ready
  const answer = await fetch(`${url}/api/v1/chat/${agents.plain}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.main}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Hello', idempotency_key: 'once' }),
  })
  expect(answer.status).toBe(200)
  io.stop()
  expect(await code).toBe(0)
  return answer.headers.get('x-service-idempotent-replay')
}

describe('touchstone simulate --snapshot', () => {
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  it('continues from a downloaded snapshot', async () => {
    await using simulator = await createSimulator({ seed: 'downloaded', legacy: true })
    const { tenant } = simulator
    const response = await fetch(`${tenant.url}/api/v1/chat/${tenant.agents.plain}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.keys.main}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Hello', idempotency_key: 'once' }),
    })
    expect(response.status).toBe(200)
    const path = file('snapshot.json', JSON.stringify(tenant.snapshot(), null, 2))
    expect(await asked(['--snapshot', path])).toBe('true')
  })

  it.for<[string, string | undefined, readonly string[], RegExp]>([
    ['no file', undefined, [], /snapshot.*none.json: not found/],
    ['no JSON', 'snapshot: 1', [], /that is not JSON; download/],
    ['another version', '{"format":"touchstone-snapshot/9"}', [], /reads touchstone-snapshot\/1\.$/],
    ['damage', '{"format":"touchstone-snapshot/1","digest":"sha256:0"}', [], /damaged or was edited/],
    ['a store', '{}', ['--store', 'file:x'], /'--snapshot <file>' cannot be used with option '--store/],
    ['a seed', '{}', ['--seed', 'x'], /'--snapshot <file>' cannot be used with option '--seed/],
    ['a situation', '{}', ['--situation', 'approval'], /cannot be used with option '--situation/],
  ])('rejects %s with one line', async ([name, text, more, words]) => {
    const path = text === undefined ? join(folder, 'none.json') : file(`${name}.json`, text)
    const { code, err } = await run(['simulate', '--port', '0', '--snapshot', path, ...more])
    expect([code, err.trim().split('\n').length]).toEqual([2, 1])
    expect(err.trim()).toMatch(words)
  })
})
