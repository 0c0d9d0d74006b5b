/** `service-client` as a process of its own: what only one shows. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { serviceClientBin } from '../bundled.ts'
import { simulator, tenant, home, environment, chatWords, saved, typing } from './typed.ts'

typing()

describe('a real process', () => {
  const start = (words: readonly string[], env: Record<string, string> = environment()) =>
    spawn(process.execPath, [serviceClientBin, ...words], {
      env: { PATH: process.env['PATH'] ?? '', HOME: home, ...env },
      stdio: 'pipe',
    })

  test('saves a key from standard input for its owner alone', async () => {
    const child = start(['login', '--profile', 'work', '--base-url', simulator.url], {})
    child.stdin.end(`${tenant.keys.main}\n`)

    expect(await once(child, 'close')).toEqual([0, null])
    expect(statSync(saved()).mode & 0o777).toBe(0o600)
    expect(statSync(join(saved(), '..')).mode & 0o777).toBe(0o700)
  })

  // The one of util-linux, which is on every Debian: it gives a command a terminal of its own.
  test.skipIf(!existsSync('/usr/bin/script') || process.platform !== 'linux')(
    'asks for the key at a terminal, and does not show it (or there is no /usr/bin/script to make one)',
    async () => {
      const words = `${process.execPath} ${serviceClientBin} login --profile work --base-url ${simulator.url}`
      const child = spawn('/usr/bin/script', ['-qec', words, '/dev/null'], { env: { HOME: home } })
      const closed = once(child, 'close')
      let shown = ''
      const asked = new Promise<void>((resolve) => {
        child.stdout.on('data', (bytes: Buffer) => {
          shown += bytes.toString()
          if (shown.includes('API key: ')) resolve()
        })
      })
      await Promise.race([asked, closed])
      child.stdin.write(`${tenant.keys.main}\r`)

      expect(await closed).toEqual([0, null])
      expect(shown).toContain('accepted the key')
      expect(shown).not.toContain(tenant.keys.main)
      expect(readFileSync(saved(), 'utf8')).toContain(tenant.keys.main)
    },
  )

  test.skipIf(!existsSync('/proc/self/cmdline'))('never has the key among its words', async () => {
    const barrier = tenant.barriers.hold({ at: 'after-token:1' })
    const child = start(chatWords('plain', '--stream'))
    await once(child.stdout, 'data')
    const words = readFileSync(`/proc/${child.pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    barrier.release()

    expect(await once(child, 'close')).toEqual([0, null])
    expect(words).toContain('--idempotency-key turn-1')
    expect(words).not.toContain(tenant.keys.main)
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends a stream at %s with %i, and says that the turn may go on', async (signal, code) => {
    const barrier = tenant.barriers.hold({ at: 'after-token:1' })
    const child = start(chatWords('plain', '--stream'))
    const closed = once(child, 'close')
    let err = ''
    child.stderr.on('data', (bytes: Buffer) => (err += bytes.toString()))
    await once(child.stdout, 'data')
    child.kill(signal)

    expect(await closed).toEqual([code, null])
    expect(err).toBe('stopped: the turn may go on. The same command with the same key gives its reply.\n')
    barrier.release()
  })

  test('outlives a reader that has seen enough', async () => {
    const words = [process.execPath, serviceClientBin, 'operations', '--json']
      .map((word) => `'${word}'`)
      .join(' ')
    const { stdout } = await promisify(execFile)('bash', ['-o', 'pipefail', '-c', `${words} | head -c 1`], {
      env: { ...process.env, ...environment() },
    })
    expect(stdout).toBe('[')
  })
})
