import { describe, expect, it } from 'vitest'
import { multilingualMessages, scriptNames, textOfScript } from './multilingual.ts'

const bytes = (text: string): number => Buffer.byteLength(text)

describe('a message of a script', () => {
  it.each(scriptNames)('is whole and within the limit by any way of counting: %s', (script) => {
    for (const wanted of [1, 100, 9_999, 10_000]) {
      const text = textOfScript(script, wanted)
      expect(text.isWellFormed()).toBe(true)
      expect(text).not.toBe('')
      expect(bytes(text)).toBeLessThanOrEqual(Math.max(wanted, bytes(textOfScript(script, 1))))
    }
  })
})

describe('messages drawn from a seed', () => {
  it('are never empty and never too long', () => {
    const lengths = multilingualMessages(3, 500).map(bytes)
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(1)
    expect(Math.max(...lengths)).toBe(10_000)
  })

  it('are by turns plain ASCII and something else', () => {
    const drawn = multilingualMessages(3, 500)
    expect(drawn.every((text, i) => i % 2 === 1 || bytes(text) === text.length)).toBe(true)
    expect(drawn.filter((text) => bytes(text) !== text.length).length).toBeGreaterThan(150)
  })

  it('are the same for the same seed', () => {
    expect(multilingualMessages(3, 20)).toEqual(multilingualMessages(3, 20))
  })
})
