import { describe, expect, test } from 'vitest'
import type { ClientTask, Assignment, ClientRunner } from '../../suites/clients/execution/task.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { driverRunner, processRunner } from './runners.ts'

const clock = realClock()
const env = { PATH: process.env['PATH'], SERVICE_API_KEY: 'key-of-somebody', TOUCHSTONE_LIMIT: '7' }
const service = {
  baseUrl: 'http://127.0.0.1:9',
  apiKey: 'sk-1',
  agent: 'agent_1',
  nextRequest: () => Promise.resolve(),
}
const chat: ClientTask = { do: 'chat', message: 'Hello "you"', idempotencyKey: 'key-1' }
const onWords = (): void => undefined
const patient = { timeout: 60_000 }

const perform = (performer: ClientRunner, task: ClientTask = chat, change: Partial<Assignment> = {}) =>
  performer.runStep(
    { name: 'scenario/step', service: service, task, limitMs: 30_000, ...change },
    new AbortController().signal,
  )

const program = (...words: readonly string[]): ClientRunner =>
  processRunner({ words, env, clock, atOnce: 1, onMessage: onWords })
const script = (text: string, ...words: readonly string[]): ClientRunner =>
  program(process.execPath, '-e', text, ...words)

describe('a process for each step', patient, () => {
  test('gets its task in environment and arguments, and nothing else', async () => {
    const says = `
      const { SERVICE_BASE_URL, SERVICE_API_KEY, TOUCHSTONE_LIMIT = 'none', TOUCHSTONE_TASK } = process.env
      const seen = [SERVICE_BASE_URL, SERVICE_API_KEY, TOUCHSTONE_LIMIT, JSON.parse(TOUCHSTONE_TASK), ...process.argv.slice(1)]
      console.log('touchstone ' + JSON.stringify({ saw: 'result', result: seen }))`
    const words = ['{message}', '{limit}', '{no} {agent}', 'x{action}']
    const result = await perform(script(says, ...words))
    const expected = [service.baseUrl, 'sk-1', 'none', chat, 'Hello "you"', '', '{no} agent_1', 'xchat']
    expect(result).toEqual({
      ended: 'exit',
      exitCode: 0,
      reported: [{ saw: 'result', result: expected }],
      stdout: '',
      stderr: '',
    })
  })

  test('gives a command line its arguments, an empty home and stdin, and records its output', async () => {
    const says = `
      const { readdirSync, readFileSync, writeFileSync } = require('node:fs')
      const { HOME, SERVICE_API_KEY = 'none', SERVICE_PROFILE = 'none' } = process.env
      console.log(readdirSync(HOME).join(), SERVICE_API_KEY, SERVICE_PROFILE, readFileSync(0, 'utf8'), process.argv.slice(1).join())
      writeFileSync(HOME + '/kept', '')
      console.error('words')
      process.exitCode = 4`
    const asks = program(process.execPath, '-e', says)
    const task: ClientTask = {
      do: 'command',
      words: ['chat', '{agent}'],
      env: { SERVICE_API_KEY: null, SERVICE_PROFILE: '{api_key}' },
      beforehand: [{ words: ['login'] }],
      stdin: 'typed',
    }
    const again = [await perform(asks, task), await perform(asks, { ...task, beforehand: [] })]
    expect(again.map(({ stdout }) => stdout)).toEqual([
      'kept none sk-1 typed chat,agent_1\n',
      ' none sk-1 typed chat,agent_1\n',
    ])
    expect(again[0]).toMatchObject({ ended: 'exit', exitCode: 4, reported: [], stderr: 'words\n' })
  })
})

describe('a driver', patient, () => {
  const messages: string[] = []
  const drives = `
    let text = ''
    process.stdin.on('data', (bytes) => {
      const lines = (text += bytes).split('\\n')
      text = lines.pop()
      for (const { id, apiKey, task } of lines.map(JSON.parse)) {
        if (task.message === 'die') {
          require('fs').writeSync(2, 'TypeError: no such member\\n')
          process.exit(1)
        }
        if (task.message === 'hang') continue
        console.log('touchstone ' + JSON.stringify({ saw: 'result', result: [process.pid, apiKey] }))
        console.log('touchstone ' + JSON.stringify({ end: id }))
      }
    })`
  const asked = (message: string): ClientTask => ({ do: 'chat', message })
  const driver = (text: string): ClientRunner =>
    driverRunner({
      words: [process.execPath, '-e', text],
      env,
      clock,
      onMessage: (...about) => messages.push(about.join(': ')),
    })
  const pidOf = ({ reported }: Awaited<ReturnType<typeof perform>>): unknown =>
    reported[0]?.saw === 'result' && Array.isArray(reported[0].result) ? reported[0].result[0] : undefined

  test('is one process until it exits or does not respond, and then another', async () => {
    const performer = driver(drives)
    const [one, two] = [await perform(performer, asked('a')), await perform(performer, asked('b'))]
    const died = await perform(performer, asked('die'))
    const three = await perform(performer, asked('c'))
    const hung = await perform(performer, asked('hang'), { limitMs: 100 })
    const four = await perform(performer, asked('d'))
    await performer.close()
    const all = [one, two, died, three, hung, four]
    expect(all.map(({ ended }) => ended)).toEqual(['done', 'done', 'lost', 'done', 'timeout', 'done'])
    expect(messages).toEqual([
      'scenario/step: the driver exited: it probably crashed: TypeError: no such member',
    ])
    expect([pidOf(one) === pidOf(two), pidOf(two) === pidOf(three), pidOf(three) === pidOf(four)]).toEqual([
      true,
      false,
      false,
    ])
  })
})
