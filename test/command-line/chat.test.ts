/** `service-client chat`, each clause of it, and what it prints. */
import { describe, expect, test } from 'vitest'
import { tenant, type, chatWords, sent, header, body, typing } from './typed.ts'

typing()

describe('chat', () => {
  test('prints the reply to stdout, what else there is to know to stderr, and sends the key as a header', async () => {
    const { code, out, err } = await type(chatWords())

    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Hello there') })
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    expect(err).toMatch(/^conversation [0-9a-f-]{36}, credits used [\d.]+, remaining [\d.]+\n$/)
    expect(header(-1, 'idempotency-key')).toBe('turn-1')
  })

  test.each([['--version'], ['--help'], ['--base-url=http://127.0.0.1:9'], ['--profile'], ['-']])(
    'sends a message such as %s, and never takes it for an option',
    async (message) => {
      const words = chatWords()
      const { code } = await type(words.with(words.indexOf('Hello there'), message))

      expect({ code, body: body() }).toEqual({ code: 0, body: { message } })
    },
  )

  test.each([
    [
      'a used key',
      (): void => tenant.markUncertain({ key: 'turn-1' }),
      /409 OUTCOME_UNCERTAIN.*never use a new key/,
    ],
    ['no credits', (): void => tenant.setCredits('main', 0), /402 INSUFFICIENT_CREDITS/],
    ['the rate', (): void => tenant.exhaustRate('main'), /429.*\(retry after \d+ s\)/],
  ])('refused for %s ends with 1 and one line that says what to do', async (_, prepare, words) => {
    prepare()
    const { code, out, err } = await type(chatWords())

    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(words)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
    expect(sent()).toHaveLength(1)
  })
})

test('control characters of an agent do not reach a terminal', async () => {
  const words = chatWords()
  const message = 'a\u001b]0;title\u0007b\u009b2Jc'
  const { out } = await type(words.with(words.indexOf('Hello there'), message), { terminal: true })

  // oxlint-disable-next-line no-control-regex
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  expect(out).toContain('a]0;titleb2Jc')
})
