import { isObject } from '../../../spec/json.ts'
import { describe, expect, it } from 'vitest'
import type { ClauseId } from '../../../spec/index.ts'
import { defects, spoiled } from './body-defects.ts'

const base = { message: 'Good morning', conversation_id: '0b0e7a52-7f0e-4b7c-9a3e-0d9b7c1c4f11' }
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Every rule that a body violates. */
function fail(text: string): ClauseId[] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return ['REQ-JSON-MALFORMED']
  }
  if (!isObject(body)) return ['REQ-JSON-OBJECT']
  const { message, conversation_id: id, interaction } = body
  const rules: readonly [ClauseId, boolean][] = [
    ['REQ-MESSAGE-REQUIRED', message === undefined],
    ['REQ-MESSAGE-STRING', message !== undefined && typeof message !== 'string'],
    ['REQ-MESSAGE-EMPTY', message === ''],
    ['REQ-MESSAGE-OVER', typeof message === 'string' && message.length > 10_000],
    ['REQ-CONVERSATION-STRING', id !== undefined && typeof id !== 'string'],
    ['REQ-CONVERSATION-UUID', typeof id === 'string' && !uuid.test(id)],
    ['REQ-INTERACTION-OBJECT', interaction !== undefined && !isObject(interaction)],
  ]
  return rules.filter(([, breaks]) => breaks).map(([rule]) => rule)
}

describe('a spoiled body', () => {
  it('is accepted before it is spoiled', () => {
    expect(fail(JSON.stringify(base))).toEqual([])
  })

  it.each(defects.map(({ breaks }, at) => ({ breaks, at })))(
    'breaks $breaks and nothing else',
    ({ breaks, at }) => {
      const bodies = spoiled(base, 7, 200).filter((_, i) => i % defects.length === at)
      expect(bodies).toHaveLength(200)
      const others = bodies.filter((body) => fail(body).join() !== breaks)
      expect(others).toEqual([])
    },
  )

  it('is the same for the same seed, and another for another', () => {
    expect(spoiled(base, 7, 5)).toEqual(spoiled(base, 7, 5))
    expect(spoiled(base, 7, 5)).not.toEqual(spoiled(base, 8, 5))
  })
})

it.each(['', '-', 'z'.repeat(400_000)])('ids of another form are spoiled too: %#', (id) => {
  const bodies = spoiled({ ...base, conversation_id: id }, 7, 3)
  expect(new Set(bodies).size).toBeGreaterThan(defects.length)
})
