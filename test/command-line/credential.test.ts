/** Whose address and key `service-client` takes, and how it saves and shows them. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { simulator, tenant, home, environment, type, chatWords, sent, login, saved, typing } from './typed.ts'

typing()

describe('the address and the key', () => {
  test('CLI-BASE-URL: --base-url wins over SERVICE_BASE_URL, which serves without it', async () => {
    const { SERVICE_API_KEY = '' } = environment()
    const nowhere = { SERVICE_API_KEY, SERVICE_BASE_URL: 'http://127.0.0.1:9' }
    const given = await type(chatWords('plain', '--base-url', `${simulator.url}/`), { env: nowhere })
    expect([given.code, sent().length]).toEqual([0, 1])

    const unreachable = await type(chatWords(), { env: nowhere })
    expect([unreachable.code, sent().length]).toEqual([4, 1])
    expect(unreachable.err).toMatch(/got no answer.*send the same request again with the same key/)
    expect(await type(chatWords(), { env: { SERVICE_API_KEY } })).toMatchObject({
      code: 2,
      err: expect.stringContaining('give --base-url'),
    })
  })
})

describe('login', () => {
  test('replaces no profile by a key that was refused, and none by one that could not be tried', async () => {
    await login('work', 'main')
    const before = readFileSync(saved(), 'utf8')

    expect((await login('work', 'revoked')).code).toBe(1)
    const away = ['login', '--profile', 'work', '--base-url', 'http://127.0.0.1:9']
    expect((await type(away, { read: () => Promise.resolve(tenant.keys.second) })).code).toBe(4)
    expect(readFileSync(saved(), 'utf8')).toBe(before)
  })

  test('never prints a key, whatever is wrong with it or with the file', async () => {
    const key = 'sk-live-never-to-be-seen'
    const words = ['login', '--profile', 'work', '--base-url', simulator.url]
    const from = join(home, 'key.txt')
    writeFileSync(from, `${key}\n`)
    const ended = await Promise.all([
      type([...words, '--key-from', key]),
      type([...words, '--key-from', `file:${from}`]),
      type([...words, key]),
      type([...words, `--api-key=${key}`]),
      type(words, { read: () => Promise.resolve(`${key} ${key}`) }),
      type(words, { hidden: () => Promise.resolve(key) }),
      type(['whoami'], { env: { ...environment(), SERVICE_API_KEY: `${key}\n` } }),
      type(['whoami'], { env: { ...environment(), SERVICE_API_KEY: key } }),
    ])

    for (const { code, out, err } of ended) {
      expect([1, 2]).toContain(code)
      expect(err).toMatch(/^error: /)
      expect(out + err).not.toContain('never-to-be-seen')
    }
  })
})

describe('whoami', () => {
  test('CLI-WHOAMI: names the source of the credential, and counts agents and operations', async () => {
    await login('work', 'other')
    const ofProfile = await type(['whoami', '--profile', 'work', '--json'])
    const ofEnvironment = await type(['whoami'])

    expect(JSON.parse(ofProfile.out)).toEqual({
      credential: { from: 'profile', profile: 'work' },
      baseUrl: simulator.url,
      agents: 1,
      operations: 23,
    })
    expect(ofEnvironment.out).toBe(
      `credential  environment variable SERVICE_API_KEY\nbase URL    ${simulator.url}\nagents      8\noperations  22\n`,
    )
  })
})
