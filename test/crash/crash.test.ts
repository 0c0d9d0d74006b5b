/** A simulator that is killed: what a turn committed is there afterwards, and a turn that was running is uncertain. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test, onTestFinished } from 'vitest'
import { createControlClient } from '../../simulator/control-client/index.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const program = join(import.meta.dirname, '../../cli/bin.ts')

interface Ready {
  readonly url: string
  readonly keys: { readonly main: string }
  readonly agents: { readonly plain: string }
}

async function start(store: string) {
  const words = [program, 'simulate', '--port', '0', '--json', '--store', store]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { url, keys, agents } = JSON.parse(line) as Ready
  const say = async (key: string, more: object = {}): Promise<string> => {
    const response = await fetch(`${url}/api/v1/chat/${agents.plain}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.main}`, 'idempotency-key': key },
      body: JSON.stringify({ message: 'hello', ...more }),
    })
    const replay = response.headers.get('x-service-idempotent-replay')
    return `${response.status} ${replay} ${await response.text()}`
  }
  const kill = async (): Promise<void> => {
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
  return { url, say, kill }
}

test('after kill -9 a committed turn is replayed, and a running one is uncertain and charges nothing', async () => {
  const folder = temporaryFolder(onTestFinished)
  const store = `file:${join(folder, 'store.db')}`
  const first = await start(store)
  const committed = await first.say('json')
  await first.say('stream', { stream: true })
  const control = createControlClient({ url: first.url })
  const [{ id } = { id: '' }] = await control.tenants()
  const barrier = await control.tenant(id).barriers.hold({ at: 'before-commit', key: 'held' })
  const held = first.say('held').catch(() => 'cut off')
  await barrier.reached()
  await first.kill()
  expect(await held).toBe('cut off')

  const second = await start(store)
  expect(await second.say('json')).toBe(committed.replace('200 null', '200 true'))
  expect(await second.say('stream', { stream: true })).toMatch(/^200 true /)
  expect(await second.say('held')).toMatch(/^409 null .*OUTCOME_UNCERTAIN/s)
  expect(JSON.parse((await second.say('next')).slice('200 null '.length))).toMatchObject({
    credits_remaining:
      (JSON.parse(committed.slice('200 null '.length)) as { credits_remaining: number }).credits_remaining -
      2,
  })
  await second.kill()
})
