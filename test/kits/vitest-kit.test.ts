/** The reporter of coverage, in a vitest of its own. */
import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = temporaryFolder()

const turn = (name: string, body: object): string => `
  import { test } from ${JSON.stringify(join(root, 'node_modules/vitest/dist/index.js'))}
  import { useSimulator } from ${JSON.stringify(join(root, 'simulator/vitest/index.ts'))}
  const simulation = useSimulator()
  simulation.test(${JSON.stringify(name)}, async ({ tenant }) => {
    const response = await fetch(tenant.url + '/api/v1/chat/' + tenant.agents.plain, {
      method: 'POST',
      headers: { authorization: 'Bearer ' + tenant.keys.main, 'idempotency-key': 'k1' },
      body: ${JSON.stringify(JSON.stringify(body))},
    })
    await response.text()
    const [{ headers }] = tenant.journal.entries()
    if (JSON.stringify(headers).includes(tenant.keys.main)) throw new Error('The journal shows a key.')
  })`

beforeAll(() => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'reply.test.ts'), turn('a reply', { message: 'Hello' }))
  writeFileSync(join(folder, 'stream.test.ts'), turn('a stream', { message: 'Hello', stream: true }))
})

test.for<[required: string, pool: string, code: number, missing: readonly string[]]>([
  ['event.done', 'forks', 0, []],
  ['stream.*', 'threads', 1, ['stream.replayed', 'stream.cut']],
])('with %s required and %s it ends with %i', async ([required, pool, code, missing]) => {
  const options = { require: [required], file: join(folder, 'coverage.json') }
  const reporters = ['default', [join(root, 'cli/exec/vitest-coverage.ts'), options]]
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `export default { test: ${JSON.stringify({ reporters, pool })} }`,
  )
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder]
  const ended = await new Promise<{ code: number; out: string }>((done) => {
    execFile(process.execPath, vitest, { cwd: folder }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), out: stdout + stderr }),
    )
  })
  expect(ended, ended.out).toMatchObject({ code })
  expect(ended.out).toMatch(/^Coverage: 3 of \d+ met; requests: 2\..*\n  event: token 1, done 1; not met: /m)
  expect(ended.out.includes('Required, and not met: ')).toBe(missing.length > 0)
  expect(JSON.parse(readFileSync(options.file, 'utf8'))).toMatchObject({
    format: 'touchstone-coverage/1',
    missing,
  })
})
