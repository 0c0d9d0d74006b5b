import { describe, expect, it } from 'vitest'
import { credentialFor } from './credential.ts'
import { createDiscreetIo } from '../output/write.ts'
import { saveProfile } from './profiles.ts'
import { testIo } from '../process.testkit.ts'

const work = { baseUrl: 'https://work.example', apiKey: 'sk-work' }
const standard = { baseUrl: 'https://default.example', apiKey: 'sk-default' }
const key = { SERVICE_API_KEY: 'sk-environment' }
const address = { SERVICE_BASE_URL: 'https://environment.example' }

function having(
  env: Record<string, string>,
  profiles: readonly ('work' | 'default')[] = ['work', 'default'],
  vendor?: string,
) {
  const io = createDiscreetIo(testIo({ env }))
  io.speak(vendor === undefined ? {} : { vendor })
  for (const name of profiles) saveProfile(name, name === 'work' ? work : standard, io)
  return io
}

describe('the key', () => {
  const environment = { apiKey: 'sk-environment', baseUrl: address.SERVICE_BASE_URL }
  const ofProfile = (profile: 'work' | 'default', saved: typeof work) => ({
    ...saved,
    source: { from: 'profile', profile },
    saved,
  })
  it.each([
    [
      'CLI-PROFILE-WINS: the profile that is chosen',
      { profile: 'work' },
      { ...key, SERVICE_BASE_URL: '' },
      ofProfile('work', work),
    ],
    [
      'CLI-ENV-WINS: the environment where none is chosen',
      {},
      { ...key, ...address },
      { ...environment, source: { from: 'environment' } },
    ],
    ['the profile `default` where there is nothing else', {}, {}, ofProfile('default', standard)],
  ])('is that of %s', (_, choice, env: Record<string, string>, credential) => {
    expect(credentialFor(choice, having(env))).toEqual(credential)
  })

  it.each([
    ['a chosen profile that is not there', { profile: 'wrok' }, key, /there is no profile wrok .*login/],
    ['a name that is none', { profile: '../x' }, key, /--profile takes/],
    ['an empty variable', {}, { SERVICE_API_KEY: '' }, /SERVICE_API_KEY is set and empty/],
    ['a variable of two lines', {}, { SERVICE_API_KEY: 'sk-a\nsk-b' }, /SERVICE_API_KEY holds no key/],
  ])('CLI-REFUSED: is not looked for elsewhere after %s', (_, choice, env, words) => {
    expect(() => credentialFor(choice, having({ ...env, ...address }))).toThrow(words)
  })

  it('that is nowhere ends with where to put one', () => {
    expect(() => credentialFor({}, having(address, ['work']))).toThrow(
      /set SERVICE_API_KEY, choose a --profile/,
    )
  })
})

describe('CLI-BASE-URL: the address', () => {
  const given = 'https://given.example'
  it.each([
    ['--base-url before all', { profile: 'work', baseUrl: given }, address, given],
    ['the environment before the profile', { profile: 'work' }, address, address.SERVICE_BASE_URL],
    ['the profile then', { profile: 'work' }, {}, work.baseUrl],
    ['the environment with its key', {}, { ...key, ...address }, address.SERVICE_BASE_URL],
  ])('is that of %s', (_, choice, env, baseUrl) => {
    expect(credentialFor(choice, having(env)).baseUrl).toBe(baseUrl)
  })

  it('of a profile is not used with a key of the environment', () => {
    expect(() => credentialFor({}, having(key))).toThrow(/no address .*give --base-url/)
  })
})

describe.each([
  ['acme', 'ACME'],
  ['acme-corp', 'ACME_CORP'],
  ['a2z', 'A2Z'],
])('of the vendor %s', (vendor, word) => {
  const env = { [`${word}_API_KEY`]: 'sk-own', [`${word}_BASE_URL`]: 'https://own.example' }

  it('CLI-ENV-WINS, CLI-BASE-URL: are those of its own variables, and no others', () => {
    const own = { ...env, ...key, ...address }
    expect(credentialFor({}, having(own, [], vendor))).toMatchObject({
      apiKey: 'sk-own',
      baseUrl: 'https://own.example',
    })
    expect(() => credentialFor({}, having({ ...key, ...address }, [], vendor))).toThrow(
      `set ${word}_API_KEY, choose a --profile, or save one with \`service-client --vendor ${vendor} login`,
    )
  })
})
