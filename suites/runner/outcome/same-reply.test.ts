import { describe, expect, test } from 'vitest'
import {
  answer,
  done,
  frames,
  jsonAnswer,
  reply,
  streamAnswer,
  token,
} from '../../assertions/exchange.testkit.ts'
import type { Finding, Verdict } from '../../../reports/bundle/record.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { watchReplies } from './same-reply.ts'

const asked = (message: string, key: string, more: object = {}) => ({
  message,
  idempotency_key: key,
  ...more,
})
const first = jsonAnswer(reply, { request: asked('One', 'k-1') })

function finding(evidence: readonly Exchange[], verdict: Verdict = 'pass'): Finding {
  return {
    check: 'chat-response/plain-turn/RES-JSON',
    subject: 'RES-JSON',
    area: 'chat-response',
    level: 'must',
    basis: 'stated',
    scenario: 'chat-response/plain-turn',
    title: 'a turn',
    verdict,
    evidence: evidence.map(({ id }) => id),
    states: [],
  }
}

const server = { target: { kind: 'staging' } } as const

const verdictOf = (journal: readonly Exchange[], evidence: readonly Exchange[], verdict?: Verdict) =>
  watchReplies(journal, server).without([finding(evidence, verdict)])[0]?.verdict

const shownBy: Readonly<Record<string, Exchange>> = {
  'another message': jsonAnswer(reply, { request: asked('Two', 'k-2') }),
  'the same message': jsonAnswer(reply, { request: asked('One', 'k-2') }),
  'a stream': streamAnswer(frames(token(reply.response), done), {
    request: asked('Two', 'k-2', { stream: true }),
  }),
}

test.for(Object.entries(shownBy))('one reply for two turns shows nothing: %s', ([, other]) => {
  expect(verdictOf([first, other], [first])).toBe('inconclusive')
  expect(verdictOf([first, other], [other, first])).toBe('inconclusive')
})

test('the same reply in two shards shows nothing against it, and twins of one leave the other alone', () => {
  const other = jsonAnswer(reply, { request: asked('Two', 'k-2') })
  const of = { ...server, merged: { of: 2 } } as const
  const [one, two, three] = [
    { ...first, id: 1 },
    { ...other, id: 2 },
    { ...other, id: 3 },
  ]
  const verdict = (journal: readonly Exchange[], evidence: Exchange): Verdict | undefined =>
    watchReplies(journal, of).without([finding([evidence])])[0]?.verdict
  expect(verdict([one, two], one)).toBe('pass')
  expect(verdict([one, two, three], two)).toBe('pass')
  expect(verdict([one, two, three], three)).toBe('inconclusive')
})

test('neither does an echo in one conversation', () => {
  const echoes = ['One', 'Two'].map((said) =>
    jsonAnswer({ ...reply, response: `You said ${said}` }, { request: asked(said, `k-${said}`) }),
  )
  expect(verdictOf(echoes, echoes)).toBe('inconclusive')
})

test('nor does a short message that stands in the reply by chance', () => {
  const short = jsonAnswer(reply, { request: asked('e', 'k-2') })
  expect(verdictOf([first, short], [short])).toBe('inconclusive')
})

const distinguishes: Readonly<Record<string, Exchange>> = {
  'another conversation': jsonAnswer(
    { ...reply, conversation_id: '1b0e7a52-7f0e-4b7c-9a3e-0d9b7c1c4f11' },
    { request: asked('Two', 'k-2') },
  ),
  'less credits': jsonAnswer({ ...reply, credits_remaining: 40 }, { request: asked('Two', 'k-2') }),
  'another text': jsonAnswer({ ...reply, response: 'Bye' }, { request: asked('Two', 'k-2') }),
  'the same key': jsonAnswer(reply, { request: asked('Two', 'k-1') }),
  'the same key in a header': jsonAnswer(reply, {
    request: asked('Two', 'k-2'),
    requestHeaders: [['X-Idempotency-Key', 'k-1']],
  }),
  'a key that may be read as the same': jsonAnswer(reply, { request: asked('One', ' K-1') }),
  'no key': jsonAnswer(reply, { request: { message: 'Two' } }),
  'a conversation that it names': jsonAnswer(reply, {
    request: asked('Two', 'k-2', { conversation_id: reply.conversation_id }),
  }),
  'an interaction': jsonAnswer(reply, { request: asked('Two', 'k-2', { interaction: {} }) }),
}

test.for(Object.entries(distinguishes))('a reply counts beside %s', ([, other]) => {
  expect(verdictOf([first, other], [first])).toBe('pass')
})

describe('where replies show nothing', () => {
  const other = jsonAnswer(reply, { request: asked('Two', 'k-2') })
  const refused = answer('{"error":"no"}', { status: 401, request: asked('One', 'k-3') })
  const own = jsonAnswer({ ...reply, credits_remaining: 9 }, { request: asked('Four', 'k-4') })
  const journal = [first, other, refused, own]

  test('a refusal beside one distinguishes two requests, and so does another reply', () => {
    expect(verdictOf(journal, [first, refused])).toBe('pass')
    expect(verdictOf(journal, [first, own])).toBe('pass')
    expect(verdictOf(journal, [own])).toBe('pass')
  })

  test.for(['fail', 'warn', 'observed', 'inconclusive'] as const)('a %s stays', (verdict) => {
    expect(verdictOf(journal, [first], verdict)).toBe(verdict)
  })

  test('a reply of a later scenario counts for what was found before', () => {
    const growing: Exchange[] = [first]
    const replies = watchReplies(growing, server)
    const [before] = replies.without([finding([first])])
    growing.push(other)
    const [after] = replies.without([finding([first])])
    expect([before?.verdict, after?.verdict]).toEqual(['pass', 'inconclusive'])
    expect(after?.detail).toContain(`(exchanges ${first.id} and ${other.id})`)
  })
})
