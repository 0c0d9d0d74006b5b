import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { curlOf, quote } from './curl.ts'
import { exchange } from './run.double.ts'

describe('a request as a curl command', () => {
  it('names the key by a variable and never by value', () => {
    const command = curlOf(exchange(1), 'https://staging.example')

    expect(command).toBe(
      `curl -sS -i -N -X POST https://staging.example/api/v1/chat/agent-1 -H "Authorization: Bearer $TOUCHSTONE_KEY" -H 'Content-Type: application/json' --data-raw '{"message":"Hello"}'`,
    )
  })

  it('does not pass a wrong key off as the real one', () => {
    const wrong = { ...exchange(1).request, principal: null }

    expect(curlOf(exchange(1, { request: wrong }), '')).toContain('$TOUCHSTONE_WRONG_KEY')
  })

  it('points to the journal for a body that is too long to paste', () => {
    const command = curlOf(exchange(7, { sent: 'x'.repeat(10_000) }), '')

    expect(command).toContain('10000 bytes: request body of exchange 7')
    expect(command.length).toBeLessThan(400)
  })

  it('sends a header without a value instead of leaving it out', () => {
    const request = { ...exchange(1).request, headers: [['Idempotency-Key', '']] as const }

    expect(curlOf(exchange(1, { request }), '')).toContain("-H 'Idempotency-Key;'")
  })

  it.each([
    ['quotes', `it's "quoted"`],
    ['substitutions', '$(touch /tmp/never) `id` $HOME'],
    ['control characters', 'a\u001b[31m\nb\u0001'],
    ['a backslash with a quote', `\u0001\\'`],
    ['a control character before a digit', '\u00011\u001b0'],
    ['an at sign', '@/etc/hostname'],
    ['other scripts', '你好 👋'],
  ])('keeps %s through a shell as they are', (_, text) => {
    const shell = spawnSync('bash', ['-c', `printf %s ${quote(new TextEncoder().encode(text))}`], {
      encoding: 'utf8',
    })

    expect(shell.stdout).toBe(text)
  })
})
