/** `service-client` with a service that has a word of its own in every identifier. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chatWords, home, replaceTenant, simulator, tenant, type, typing } from './typed.ts'

typing()

describe.each([
  ['acme', 'ACME'],
  ['acme-corp', 'ACME_CORP'],
  ['a2z', 'A2Z'],
])('with the vendor %s', (vendor, word) => {
  const key = { read: () => Promise.resolve(`${tenant.keys.main}\n`) }
  const variables = (): Record<string, string> => ({
    [`${word}_BASE_URL`]: simulator.url,
    [`${word}_API_KEY`]: tenant.keys.main,
  })

  test.each([
    ['the option of the program', ['--vendor', vendor], [], {}],
    ['the option of the command', [], ['--vendor', vendor], {}],
    ['TOUCHSTONE_VENDOR', [], [], { TOUCHSTONE_VENDOR: vendor }],
  ])('by %s its variables are read, and its replay header is known', async (_, before, behind, env) => {
    replaceTenant({ vendor })
    const words = [...before, ...chatWords('plain', ...behind)]
    const over = { env: { ...variables(), ...env } }
    expect(await type(words, over)).toMatchObject({ code: 0 })
    expect((await type(words, over)).err).toContain('reply to an earlier request with the same key')
    expect((await type(['whoami', ...before, ...behind], over)).out).toContain(`variable ${word}_API_KEY`)
    expect((await type(chatWords(), { env: variables() })).err).toContain('set SERVICE_API_KEY')
  })

  test('a profile lies in its folder, and remembers the word', async () => {
    replaceTenant({ vendor })
    const login = ['login', '--profile', 'work', '--base-url', simulator.url, '--vendor', vendor]
    expect((await type(login, { env: {}, ...key })).err).toContain(`${vendor}-client/profiles.json`)
    const file = join(home, `.config/${vendor}-client/profiles.json`)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ profiles: { work: { vendor } } })
    expect((await type(['profiles', '--vendor', vendor])).out).toMatch(new RegExp(`^work .* ${vendor}\n$`))
    expect((await type(['profiles'])).out).toBe('')
  })

  test('a profile in the folder of the contract needs no option to be understood', async () => {
    replaceTenant({ vendor })
    const login = ['login', '--profile', 'work', '--base-url', simulator.url, '--vendor', vendor]
    const here = ['--identifier', 'profileFolder=service-client']
    expect((await type([...login, ...here], { env: {}, ...key })).code).toBe(0)
    const words = chatWords('plain', '--profile', 'work')
    await type(words, { env: {} })
    expect((await type(words, { env: {} })).err).toContain('reply to an earlier request with the same key')
  })
})
