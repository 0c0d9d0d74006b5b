import { describe, expect, it } from 'vitest'
import { run } from '../process.testkit.ts'
import { chosenWith, speechOf } from './vendor.ts'

describe("the vendor's word", () => {
  it.each([
    [{}, {}, 'SERVICE_API_KEY', 'service-client'],
    [{ vendor: 'acme' }, {}, 'ACME_API_KEY', 'service-client --vendor acme'],
    [{}, { TOUCHSTONE_VENDOR: 'acme-corp' }, 'ACME_CORP_API_KEY', 'service-client'],
    [
      { vendor: 'acme' },
      { TOUCHSTONE_VENDOR: 'a2z', TOUCHSTONE_IDENTIFIERS: '{"apiKeyVariable": "OWN"}' },
      'ACME_API_KEY',
      'service-client --vendor acme',
    ],
    [
      {},
      {
        TOUCHSTONE_VENDOR: '4u',
        TOUCHSTONE_IDENTIFIERS: '{"apiKeyVariable":"U_KEY","baseUrlVariable":"U_URL"}',
      },
      'U_KEY',
      'service-client',
    ],
    [{ identifier: ['apiKeyVariable=KEY'] }, {}, 'KEY', 'service-client --identifier apiKeyVariable=KEY'],
  ])('of the options %j and the environment %j', (flags, env, variable, program) => {
    const speech = speechOf(flags, env)
    expect([speech.names.apiKeyVariable, speech.program]).toEqual([variable, program])
  })

  it.each([
    [{ vendor: 'a b' }, {}, /vendor is "a b": write one word/],
    [{ vendor: '4u' }, {}, /override `baseUrlVariable`/],
    [{ identifier: ['replay'] }, {}, /--identifier "replay" is not NAME=VALUE/],
    [{ identifier: ['replay=x'] }, {}, /identifier "replay" is unknown/],
    [{}, { TOUCHSTONE_IDENTIFIERS: 'x=y' }, /TOUCHSTONE_IDENTIFIERS is no JSON object of texts/],
    [{}, { TOUCHSTONE_IDENTIFIERS: '["x"]' }, /identifier "0" is unknown/],
    [{}, { TOUCHSTONE_IDENTIFIERS: '3' }, /TOUCHSTONE_IDENTIFIERS is no JSON object of texts/],
  ])('that cannot be one is refused: %j, %j', (flags, env, words) => {
    expect(() => speechOf(flags, env)).toThrow(words)
  })

  it('and what a profile was saved with go together where the vendor is the same', () => {
    const saved = { vendor: 'acme', identifiers: { replayHeader: 'X-Again' } }
    expect(chosenWith({}, saved)).toEqual(saved)
    expect(chosenWith({ vendor: 'acme', identifiers: { eventHeader: 'x-e' } }, saved)).toEqual({
      vendor: 'acme',
      identifiers: { replayHeader: 'X-Again', eventHeader: 'x-e' },
    })
    expect(chosenWith({ vendor: 'a2z' }, saved)).toEqual({ vendor: 'a2z' })
  })
})

describe('help', () => {
  it.each([
    [['whoami', '--help'], {}, 'SERVICE'],
    [['--vendor', 'acme', 'whoami', '--help'], {}, 'ACME'],
    [['whoami', '--vendor', 'acme-corp', '--help'], {}, 'ACME_CORP'],
    [['whoami', '--help'], { TOUCHSTONE_VENDOR: 'a2z' }, 'A2Z'],
  ])('of %j with %j names the real variables', async (argv, env: Record<string, string>, word) => {
    const { code, out } = await run(argv, { env })
    const variables = [...out.matchAll(/\b[A-Z0-9_]+_(?:BASE_URL|API_KEY)\b/g)].map(([name]) => name)
    expect({ code, variables: new Set(variables) }).toEqual({
      code: 0,
      variables: new Set([`${word}_BASE_URL`, `${word}_API_KEY`]),
    })
    expect(out).not.toMatch(/\{\w+\}/)
  })

  it('with a word that is none is a usage error of one line', async () => {
    expect(await run(['whoami', '--vendor', 'a b', '--help'])).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^error: vendor is "a b".*\n$/),
    })
  })
})
