import { describe, expect, it } from 'vitest'
import { baseUrlFrom } from './values.ts'

describe('a base address', () => {
  it.each([
    ['https://service.example', 'https://service.example'],
    ['https://service.example/behind/a/path//', 'https://service.example/behind/a/path'],
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
    ['http://localhost:4010/', 'http://localhost:4010'],
    ['http://[::1]:4010', 'http://[::1]:4010'],
    ['http://2130706433:4010', 'http://127.0.0.1:4010'],
  ])('%s is taken as %s', (given, taken) => {
    expect(baseUrlFrom('--base-url', given)).toBe(taken)
  })

  it.each([
    ['service.example', /is no address: give one such as/],
    ['ftp://service.example', /is no address/],
    ['https://somebody:secret@service.example', /no user, query or fragment/],
    ['https://service.example?key=secret', /no user, query or fragment/],
  ])('%s is refused, and no secret in it repeated', (given, words) => {
    expect(() => baseUrlFrom('--base-url', given)).toThrow(words)
    expect(() => baseUrlFrom('--base-url', given)).not.toThrow(/secret/)
  })

  it.each([['http://service.example'], ['http://127.0.0.1.service.example'], ['http://localhost.example']])(
    '%s would send the key readable, and needs a word for it',
    (given) => {
      expect(() => baseUrlFrom('--base-url', given)).toThrow(/use https:, or add --allow-http/)
      expect(baseUrlFrom('--base-url', given, true)).toBe(given)
    },
  )
})
