import { expect, test } from 'vitest'
import { jsonAnswer } from '../assertions/exchange.testkit.ts'
import { conversation, createLabels, keyText, textWithKeys } from './references.ts'

const digits = '0123456789abcdef0123456789abcdef'

test('a key is fresh where the suite made it so, and as it was everywhere else', () => {
  const labels = createLabels()
  const fresh = { fresh: 'key-1', digits: 32 }
  expect(keyText(`touchstone-${digits}`, labels)).toEqual(['touchstone-', fresh])
  expect(keyText(`touchstone-${digits}xx1`, labels)).toEqual(['touchstone-', fresh, 'xx1'])
  expect(keyText(`touchstone-${digits}a`, labels)).toEqual(['touchstone-', fresh, 'a'])
  expect(keyText(`clé ${digits.slice(8)}`, labels)).toEqual(['clé ', { fresh: 'key-2', digits: 24 }])
})

test('a text names a key only after that was met where keys stand', () => {
  const labels = createLabels()
  expect(textWithKeys(`{"key": "${digits}"}`, labels)).toBe(`{"key": "${digits}"}`)
  keyText(`touchstone-${digits}`, labels)
  expect(textWithKeys(`say ${digits}!`, labels)).toEqual(['say ', { fresh: 'key-1', digits: 32 }, '!'])
})

const id = 'c2d313b5-65ac-41cc-93a0-7ae4b5deff2d'
const answering = (body: object) => [{ id: 'first', exchange: jsonAnswer(body) }]

test('a conversation is that of the answer that named it, and of no other member with the same value', () => {
  const labels = createLabels()
  expect(conversation(id, answering({ conversation_id: id }), labels)).toEqual({
    from: 'first',
    at: '/conversation_id',
  })
  expect(conversation(id, answering({ response: id }), labels)).toEqual({ uuid: 'uuid-1' })
  expect(conversation('1', answering({ credits_used: '1' }), labels)).toBeNull()
})
