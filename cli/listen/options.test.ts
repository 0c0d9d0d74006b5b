import { describe, expect, it } from 'vitest'
import { run } from '../process.testkit.ts'
import { answerList, wordFor } from './answers.ts'
import { knownIds } from './known-ids.ts'

describe('touchstone listen, the options', () => {
  it.each([
    ['200', 1, { answer: { status: 200 } }],
    ['500, 503', 9, { answer: { status: 503 } }],
    ['hang,close,drip', 2, { answer: 'close' }],
    ['slow:3s', 1, { answer: 'hold', afterMs: 3_000 }],
    ['slow:0.5s,200', 1, { answer: 'hold', afterMs: 500 }],
    ['slow:250ms', 1, { answer: 'hold', afterMs: 250 }],
  ])('reads --answer %s, and answers request %d with %j', (text, number, word) => {
    expect(wordFor(number, answerList(text))).toEqual(word)
  })

  it.each(['', '100', '600', '200,', 'slow', 'slow:3', 'slow:0s', 'slow:9999s', 'hold', 'OK'])(
    'refuses --answer %j with the words that would do',
    async (text) => {
      const { code, err } = await run(['listen', '--port', '0', '--answer', text])

      expect(code).toBe(2)
      expect(err).toContain('is no answer: give a status from 200 to 599, hang, close, drip, or slow:3s')
    },
  )

  it.each([
    [['--secret', 'whsec_plain'], '--secret does not accept a secret itself'],
    [['--forward', 'localhost:3000'], '--forward localhost:3000: that is no address; give one such as http'],
    [['--forward', 'http://me:hidden@a.example'], 'leave user and password out'],
    [['--forward', 'http://a.example', '--answer', '200'], '--forward and --answer contradict one another'],
    [['--record', '/dev/null/x'], '--record /dev/null/x: cannot be written (ENOTDIR); give another file.'],
    [['--host', '192.0.2.1'], 'cannot receive on 192.0.2.1, port 0: this machine has no such address'],
  ])('takes one line to refuse %j, with exit code 2', async (argv, words) => {
    const { code, err } = await run(['listen', '--port', '0', ...argv])

    expect(code).toBe(2)
    expect(err.trimEnd().split('\n')).toEqual([expect.stringContaining(words)])
  })
})

describe('touchstone listen, what it remembers', () => {
  it('forgets the id that was not seen for longest once there are too many', () => {
    const known = knownIds(2)
    known.seen('a')
    known.delivered('a')
    known.seen('b')
    known.seen('a')
    known.seen('c')

    expect(known.seen('a')).toEqual({ attempt: 3, duplicate: true })
    expect(known.seen('b')).toEqual({ attempt: 1, duplicate: false })
  })
})
