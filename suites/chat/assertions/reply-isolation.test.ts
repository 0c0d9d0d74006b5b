import { expect, test } from 'vitest'
import type { Exchange } from '../../wire/exchange.ts'
import { jsonAnswer } from '../../assertions/exchange.testkit.ts'
import { alphabets, keepsAstral, markedText, ownReplies } from './reply-isolation.ts'

const texts = alphabets
  .slice(0, 2)
  .map((alphabet, at) => markedText(alphabet, (below) => (7 * at + 3) % below))
const [mine = '', other = ''] = texts

const turn = (id: number, message: string, response: string): Exchange => {
  const answer = jsonAnswer({ response, conversation_id: 'c', credits_used: 1, credits_remaining: 1 })
  const body = new TextEncoder().encode(JSON.stringify({ message }))
  return { ...answer, id, request: { ...answer.request, body } }
}
const repliesOf = (...responses: readonly string[]) => {
  const turns = responses.map((response, at) => turn(at, texts[at] ?? '', response))
  return ownReplies(turns, turns).is
}

test('a reply with the words of another turn is broken, and one without any decides nothing', () => {
  expect(repliesOf(`You said: ${mine}`, other)).toBe('pass')
  expect(repliesOf(other, mine)).toBe('fail')
  expect(repliesOf(`${mine} and ${other}`, other)).toBe('fail')
  expect(repliesOf('Yes.', other)).toBe('not-applicable')
})

test('letters of another turn are found however finely they are mixed with others', () => {
  const mixed = Array.from(mine, (sign, at) => sign + (Array.from(other)[at] ?? '')).join('.')
  expect(repliesOf(mixed, other)).toBe('fail')
})

test('words around the text are those of no other turn, whatever their alphabet is', () => {
  const asks = texts.map((text) => `Пожалуйста, повторите: ${text}`)
  const repliesOf = (responses: readonly string[]) => {
    const turns = responses.map((response, at) => turn(at, asks[at] ?? '', response))
    return ownReplies(turns, turns).is
  }
  expect(repliesOf(asks)).toBe('pass')
  expect(repliesOf(asks.toReversed())).toBe('fail')
})

test('a question mark in the place of an emoji is broken only beside a stream that kept it', () => {
  const asked = mine.replace('🦊', '?')
  const kept = [turn(1, other, other)]
  expect(keepsAstral([turn(0, mine, mine)], kept).is).toBe('pass')
  expect(keepsAstral([turn(0, mine, asked)], kept).is).toBe('fail')
  expect(keepsAstral([turn(0, mine, asked)], [turn(1, other, 'Yes.')]).is).toBe('not-applicable')
  expect(keepsAstral([turn(0, mine, 'Yes.')], kept).is).toBe('not-applicable')
})
