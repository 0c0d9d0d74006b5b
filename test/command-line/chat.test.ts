/** `service-client chat`, each clause of it, and what it prints. */
import { describe, expect, test } from 'vitest'
import { tenant, type, chatWords, sent, header, body, typing } from './typed.ts'

typing()

describe('chat', () => {
  test('CLI-CHAT-REQUIRED: with any of the three options missing or empty is refused before anything is sent', async () => {
    const whole = chatWords()
    const lacking = ['--agent', '--message', '--idempotency-key'].flatMap((option) => {
      const at = whole.indexOf(option)
      return [whole.toSpliced(at, 2), whole.toSpliced(at + 1, 1, '')]
    })
    const ended = await Promise.all(lacking.map((words) => type(words)))

    expect(ended.map(({ code, out }) => ({ code, out }))).toEqual(ended.map(() => ({ code: 2, out: '' })))
    expect(sent()).toEqual([])
    expect((await type(whole)).code).toBe(0)
  })

  test('prints the reply to stdout, what else there is to know to stderr, and sends the key as a header', async () => {
    const { code, out, err } = await type(chatWords())

    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Hello there') })
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    expect(err).toMatch(/^conversation [0-9a-f-]{36}, credits used [\d.]+, remaining [\d.]+\n$/)
    expect(header(-1, 'idempotency-key')).toBe('turn-1')
  })

  test('CLI-CHAT-OPTIONS: --conversation-id goes on with a conversation, and --stream asks for a stream', async () => {
    const first = JSON.parse((await type(chatWords('plain', '--json'))).out) as { conversationId: string }
    const words = chatWords('plain', '--conversation-id', first.conversationId, '--stream')
    const { code, out } = await type(words.with(words.indexOf('turn-1'), 'turn-2'))

    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Hello there') })
    expect(body()).toMatchObject({ conversation_id: first.conversationId, stream: true })
  })

  test('CLI-JSON: --json prints the whole reply, and with --stream a line for each event', async () => {
    const reply = JSON.parse((await type(chatWords('plain', '--json'))).out) as unknown
    expect(reply).toMatchObject({ response: expect.any(String), creditsUsed: expect.any(Number) })

    const words = chatWords('tools', '--stream', '--json')
    const { out } = await type(words.with(words.indexOf('turn-1'), 'turn-2'))
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string })
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['action_start', 'action_complete', 'token', 'done']),
    )
    expect(events.at(-1)).toMatchObject({ type: 'done', conversationId: expect.any(String) })
    expect(events.find(({ type }) => type === 'action_start')).toHaveProperty('actionName')
  })

  test('CLI-INTERACTION: --interaction sends the selection as it was copied', async () => {
    const selection = { type: 'workflow_button', runId: 'r', nodeId: 7, payload: { deep: [null, 'x'] } }
    await type(chatWords('plain', '--interaction', JSON.stringify(selection)))

    expect(body()).toMatchObject({ message: 'Hello there', interaction: selection })
    expect((await type(chatWords('plain', '--interaction', '{"type": ...}'))).code).toBe(2)
    expect(sent()).toHaveLength(1)
  })

  test.each([['--version'], ['--help'], ['--base-url=http://127.0.0.1:9'], ['--profile'], ['-']])(
    'sends a message such as %s, and never takes it for an option',
    async (message) => {
      const words = chatWords()
      const { code } = await type(words.with(words.indexOf('Hello there'), message))

      expect({ code, body: body() }).toEqual({ code: 0, body: { message } })
    },
  )

  test('with --stream prints what was replayed, and says that it was', async () => {
    const first = await type(chatWords('plain', '--stream'))
    const again = await type(chatWords('plain', '--stream'))

    expect(again.out).toBe(first.out)
    expect([first.err, again.err].map((err) => err.includes('was not run again'))).toEqual([false, true])
  })

  test('of a stream that fails leaves what came, and ends with 1', async () => {
    const { code, out, err } = await type(chatWords('failing', '--stream'))

    expect({ code, out }).toEqual({ code: 1, out: 'This reply \n' })
    expect(err).toMatch(/^error: failed after 200: The model stopped answering\./)
  })

  test('while AI replies are paused says that the message was stored', async () => {
    const { code, out, err } = await type(chatWords('paused'))

    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toContain('AI replies are paused')
  })

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
