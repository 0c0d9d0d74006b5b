import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../../simulator/index.ts'
import { loadTarget } from '../../suites/config/file/file.ts'
import { run } from '../process.testkit.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const folder = temporaryFolder()

const env = { SERVICE_BASE_URL: 'https://a.example', SERVICE_API_KEY: 'sk-1', SERVICE_AGENT: 'agent-1' }

describe('touchstone init', () => {
  test('writes a file that loads once the environment is set', async () => {
    const file = join(folder, 'usual.yaml')
    const { code, err } = await run(['init', file])
    expect(err).toBe(
      [
        `Wrote ${file}. Next:`,
        '  export SERVICE_BASE_URL=…',
        '  export SERVICE_API_KEY=…',
        '  export SERVICE_AGENT=…',
        `  npx touchstone doctor ${file}`,
        `  npx touchstone check ${file} --profile smoke\n`,
      ].join('\n'),
    )
    expect(code).toBe(0)
    const target = loadTarget(file, env)
    expect(target).toMatchObject({
      kind: 'staging',
      baseUrl: 'https://a.example',
      agents: { plain: 'agent-1' },
    })
  })

  test('asks in a terminal when nothing was said, and again where an answer does not fit', async () => {
    const file = join(folder, 'asked.yaml')
    const answers = 'ours,test,production,ftp://x,https://c.example,sk-1,,one,,'
      .concat('two,SESSION=1,env:SESSION,http://here.example,loopback,notes.list')
      .split(',')
    const asked: string[] = []
    const question = (text: string): Promise<string> => {
      asked.push(text)
      return Promise.resolve(answers.shift() ?? '')
    }
    const { err } = await run(['init', file], { question })
    expect(asked).toHaveLength(15)
    expect(err).toContain('test: say staging or production.\n')
    expect(err).not.toContain('sk-1')
    expect(err).not.toContain('SESSION=1')
    expect(err).toContain('http://here.example is not an https URL')
    expect(loadTarget(file, { ...env, SESSION: 'sid=1' })).toMatchObject({
      session: { headers: [['Cookie', 'sid=1']] },
      receiver: { mode: 'loopback', development: true },
      name: 'ours',
      kind: 'production',
      agents: { plain: 'one' },
      fixtures: { operations: [{ name: 'read', id: 'notes.list', input: {}, receipt: 'completed' }] },
    })
  })

  test('a smoke run with the file passes, as it says that it does', async () => {
    const simulator = await createSimulator()
    onTestFinished(() => simulator.close())
    const { url, tenant } = simulator
    const file = join(folder, 'first.yaml')
    await run(['init', file, '--base-url', url, '--api-key', 'env:KEY', '--agent', tenant.agents.plain])
    const words = ['check', file, '--profile', 'smoke', '--out', join(folder, 'first'), '--quiet']
    expect((await run(words, { env: { KEY: tenant.keys.main } })).code).toBe(0)
  })

  test.for([
    ['', true],
    ['yes', true],
    ['no', false],
  ] as const)(
    'asks whether a name of a variable is meant, and on %j accepts it: %j',
    async ([reply, accepted]) => {
      const file = join(folder, 'variable.yaml')
      const asked: string[] = []
      const question = (text: string): Promise<string> => {
        asked.push(text)
        if (text.startsWith('Did you mean')) return Promise.resolve(reply)
        const isFirst = asked.filter((one) => one.includes('API key')).length === 1
        return Promise.resolve(text.includes('API key') && isFirst ? 'STAGING_KEY' : '')
      }
      await run(['init', file, '--force'], { question })
      expect(asked).toContain('Did you mean env:STAGING_KEY? [yes] ')
      expect(readFileSync(file, 'utf8').includes('bearer: env:STAGING_KEY')).toBe(accepted)
    },
  )

  test('says what to do before it gates, and its policy is no part of its digest', async () => {
    const file = join(folder, 'policy.yaml')
    await run(['init', file])
    const text = readFileSync(file, 'utf8')
    expect(text).toMatch(/# Before it gates .*`npx touchstone baseline` .*\npolicy:\n/)
    const before = loadTarget(file, env)
    writeFileSync(file, text.replace('reason: a first run;', 'reason: another;'))
    expect(loadTarget(file, env).policy).not.toEqual(before.policy)
    expect(loadTarget(file, env).fileDigest).toBe(before.fileDigest)
  })

  test('does not write over a file unless it is forced to', async () => {
    const file = join(folder, 'there.yaml')
    writeFileSync(file, 'mine')
    const { code, err } = await run(['init', file])
    expect([code, err]).toEqual([2, expect.stringContaining('overwrite it with --force')])
    expect(readFileSync(file, 'utf8')).toBe('mine')
    expect((await run(['init', file, '--force'])).code).toBe(0)
  })
})
