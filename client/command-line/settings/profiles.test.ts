import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testHome } from '../process.testkit.ts'
import {
  profileIn,
  parseProfileName,
  profilesIn,
  profilesPath,
  removeProfile,
  saveProfile,
} from './profiles.ts'
import { speechOf } from './vendor.ts'

const speech = speechOf({}, {})
const place = (env: Record<string, string> = {}) => ({ env, home: testHome(), windows: false, speech })
const one = { baseUrl: 'https://one.example', apiKey: 'sk-one' }
const two = { baseUrl: 'https://two.example', apiKey: 'sk-two' }
const modeOf = (path: string): number => statSync(path).mode & 0o777

/** A file that is there before. */
function written(text: string) {
  const at = place()
  mkdirSync(dirname(profilesPath(at)), { recursive: true })
  writeFileSync(profilesPath(at), text)
  return at
}

describe('the file of profiles', () => {
  it.each([
    [{ XDG_CONFIG_HOME: '/etc/mine' }, false, '/etc/mine/service-client/profiles.json'],
    [{}, false, '/home/ida/.config/service-client/profiles.json'],
    [{ XDG_CONFIG_HOME: 'relative' }, false, '/home/ida/.config/service-client/profiles.json'],
    [{ APPDATA: '/roaming' }, true, '/roaming/service-client/profiles.json'],
    [{}, true, '/home/ida/AppData/Roaming/service-client/profiles.json'],
  ])('with %j, on Windows %s, is %s', (env, windows, path) => {
    expect(profilesPath({ env, windows, home: '/home/ida', speech })).toBe(path)
  })

  it.each([
    [{ vendor: 'no vendor' }, /vendor is "no vendor"/],
    [{ identifiers: { replayHeader: 'X Y' } }, /replayHeader is "X Y"/],
    [{ dialect: { tasks: {} } }, /the dialect of the profile one: `dialect.tasks` is unknown/],
    [{ catalogue: { contract: 'x' } as never }, /the catalogue of the profile one is none/],
  ])('with a profile that remembers %j says what is wrong with it', (memory, words) => {
    const at = place()
    saveProfile('one', { ...one, ...(memory as object) }, at)
    expect(() => profileIn(at, 'one')).toThrow(words)
  })

  it('is for its owner alone, in a folder for its owner alone, and nothing lies beside it', () => {
    const at = place()
    const folder = dirname(profilesPath(at))
    mkdirSync(folder, { recursive: true, mode: 0o755 })
    saveProfile('one', one, at)

    expect([modeOf(folder), modeOf(profilesPath(at))]).toEqual([0o700, 0o600])
    expect(readdirSync(folder)).toEqual(['profiles.json'])
  })

  it.skipIf(process.platform === 'win32')('is not read where it is a pipe, which may have no end', () => {
    const at = written('')
    rmSync(profilesPath(at))
    execFileSync('mkfifo', [profilesPath(at)])
    expect(() => profilesIn(at)).toThrow(/cannot be read \(it is no file\)/)
  })

  it('keeps other profiles, and what a newer version wrote beside them', () => {
    const at = written(
      JSON.stringify({ version: 1, theme: 'dark', profiles: { one: { ...one, note: 'x' } } }),
    )
    saveProfile('two', two, at)

    expect(Object.fromEntries(profilesIn(at))).toEqual({ one: { ...one, note: 'x' }, two })
    expect(JSON.parse(readFileSync(profilesPath(at), 'utf8'))).toHaveProperty('theme', 'dark')
    expect([removeProfile('one', at), removeProfile('one', at)]).toEqual([true, false])
    expect([...profilesIn(at).keys()]).toEqual(['two'])
  })

  it.each([
    ['no JSON', '{"profiles": {"one": {"apiKey": "sk-one"'],
    ['of a later version', '{"version": 2, "profiles": {}}'],
    ['without profiles', '{"version": 1}'],
    [
      'with a profile that has no key',
      '{"version": 1, "profiles": {"one": {"baseUrl": "https://a.example"}}}',
    ],
    ['empty', ''],
  ])('that is %s is not changed, and no key in it is shown', (_, text) => {
    const at = written(text)

    expect(() => saveProfile('two', two, at)).toThrow(
      /not what this version .* writes: fix it, or move it away/,
    )
    expect(() => profilesIn(at)).not.toThrow(/sk-one/)
    expect(readFileSync(profilesPath(at), 'utf8')).toBe(text)
    expect(readdirSync(dirname(profilesPath(at)))).toEqual(['profiles.json'])
  })

  it('is not written while another login writes it', () => {
    const at = written(JSON.stringify({ version: 1, profiles: { one } }))
    writeFileSync(`${profilesPath(at)}.new`, '')

    expect(() => saveProfile('two', two, at)).toThrow(/another login is writing/)
    expect([...profilesIn(at).keys()]).toEqual(['one'])
  })
})

describe('the name of a profile', () => {
  it.each([['work'], ['2'], ['eu-west.staging_1']])('may be %s', (name) => {
    expect(parseProfileName(name)).toBe(name)
  })

  it.each([[''], ['a b'], ['../x'], ['__proto__'], ['-v'], ['x'.repeat(65)]])('may not be %j', (name) => {
    expect(() => parseProfileName(name)).toThrow(/letters, digits/)
  })
})
