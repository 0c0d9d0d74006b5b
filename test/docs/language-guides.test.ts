/** The guides for other languages: their files are written, their commands run, their receivers tested. */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { touchstoneBin } from '../bundled.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const forked = join(root, 'test/clients/forked.py')

/** Each with a command that succeeds where its language and packages are installed. */
const guides = [
  { page: 'guide-python.md', needs: ['python3', '-c', 'import pytest, flask'] },
  { page: 'guide-go.md', needs: ['go', 'version'] },
  { page: 'guide-java.md', needs: ['javac', '-version'] },
] as const

/** Tests of a language that takes long to start, on a busy machine. */
const timeout = 120_000

interface Ended {
  readonly code: number
  readonly out: string
}

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Resolves when something listens on the port. Rejects when the signal aborts. */
async function listening(port: number, signal: AbortSignal): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } catch {
    await wait(50, undefined, { signal })
    await listening(port, signal)
  } finally {
    socket.destroy()
  }
}

describe.concurrent.each(guides)('$page', ({ page, needs: [program, ...words] }) => {
  const text = readFileSync(join(root, 'docs', page), 'utf8')
  const blocks = [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
  const lines = blocks.flatMap(([, language, block = '']) =>
    language === '' ? block.trim().split('\n') : [],
  )
  const exported = lines.flatMap((line) => (line.startsWith('export ') ? line.split(' ').slice(1) : []))
  const receivers = lines.filter((line) => !/^(npx|export) /.test(line) && /receiver/i.test(line))
  const [verdict = '', ...others] = lines.filter((line) =>
    line.startsWith('npx @touchstone-suite/touchstone receiver '),
  )
  const commands = lines.filter(
    (line) => !line.startsWith('export ') && !receivers.includes(line) && line !== verdict,
  )

  const isMissing = spawnSync(program, words).status !== 0
  if (isMissing) console.warn(`skipped: ${page} needs \`${program} ${words.join(' ')}\` to succeed`)

  const folder = mkdtempSync(join(tmpdir(), 'touchstone-language-'))
  beforeAll(() => {
    for (const [, , block = ''] of blocks) {
      const [, name] = /^(?:\/\/|#) (\S+\.\w+)\n/.exec(block) ?? []
      if (name === undefined) continue
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), block)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const env = {
    ...process.env,
    // The pytest plugin, as if it were installed, and no copy that is.
    PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
    PYTHONPATH: join(root, 'kits/python/src'),
    PYTEST_PLUGINS: 'touchstone_pytest.plugin',
    ...Object.fromEntries(exported.map((pair) => pair.split('='))),
  }
  async function run(line: string, path: string = env.PYTHONPATH): Promise<Ended> {
    const given = wordsOf(line)
    const [command = '', ...rest] = line.startsWith('npx @touchstone-suite/touchstone ')
      ? [process.execPath, touchstoneBin, ...given.slice(2)]
      : given
    return promisify(execFile)(command, rest, {
      cwd: folder,
      env: { ...env, PYTHONPATH: path },
      timeout,
    }).then(
      ({ stdout, stderr }) => ({ code: 0, out: stdout + stderr }),
      ({ code, stdout, stderr }) => ({ code: Number(code), out: `${stdout}${stderr}` }),
    )
  }

  test.skipIf(isMissing)('its commands succeed', { timeout }, async () => {
    expect(commands.length).toBeGreaterThan(0)
    for (const line of commands) {
      // Each step starts the language: all others are taken below, without that.
      const { code, out } = await run(line.replace(/ client (?=.* -- )/, " client --only 'client-chat/*' "))
      expect(code, `${line}\n${out}`).toBe(0)
    }
  })

  test.skipIf(isMissing)('its receivers pass', { timeout }, async ({ signal }) => {
    expect([receivers.length > 0, others]).toEqual([true, []])
    for (const line of receivers) {
      const port = await freePort()
      const [command = '', ...rest] = wordsOf(line)
      // A group of its own: the language's launcher may start the receiver as another process.
      const child = spawn(command, rest, {
        cwd: folder,
        env: { ...env, PORT: `${port}` },
        stdio: 'ignore',
        detached: true,
      })
      try {
        await listening(port, signal)
        const { out } = await run(`${verdict.replaceAll(':3000', `:${port}`)} --out receiver-report`)
        // On a busy machine two copies may never overlap: then the run is partial.
        expect(out).toMatch(/^[✓–] (conformant|partial) /m)
        expect(out).toMatch(/\b3\d passed, 0 failed/)
      } finally {
        process.kill(-(child.pid ?? 0), 'SIGKILL')
      }
    }
  })

  test('its links lead to files', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, path = '']) => path)
    expect(links.filter((path) => !existsSync(join(root, 'docs', path)))).toEqual([])
  })

  const [judged = ''] = commands.filter((line) => / client .* -- python3 /.test(line))
  test.skipIf(isMissing || judged === '')(
    'its client passes every check, forked for each step',
    { timeout },
    async () => {
      const driver = judged.replace(' -- python3 ', ` --out client-report --driver -- python3 ${forked} `)
      const { code, out } = await run(`${driver} SERVICE`, `${env.PYTHONPATH}:${folder}`)
      expect(code, out).toBe(0)
      expect(out).toMatch(/^✓ conformant /m)
    },
  )

  test.skipIf(isMissing || program !== 'python3')(
    'prints the journal of a test that fails',
    { timeout },
    async () => {
      const ask = 'ask(service.keys["main"], service.agents["plain"], "Hello", "order-1001")'
      const code = `from client import ask\n\n\ndef test_failing(service):\n    ${ask}\n    assert False\n`
      writeFileSync(join(folder, 'failing.py'), code)
      const { out } = await run('npx @touchstone-suite/touchstone exec -- python3 -m pytest -q failing.py')
      expect(out).toMatch(/POST \/api\/v1\/chat\/agent_\w+ → 200/)
      expect(out).toContain('{"response":"You said: Hello"')
    },
  )
})
