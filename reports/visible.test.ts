import { describe, expect, it } from 'vitest'
import { shorten, visible, visibleLine } from './visible.ts'

describe('visible text', () => {
  it.each([
    ['an escape sequence', '\u001b[31mred', String.raw`\u001b[31mred`],
    ['the one-byte form of it', '\u009b31m', String.raw`\u009b31m`],
    ['a carriage return', 'pass\rfail', String.raw`pass\u000dfail`],
    ['a change of direction', 'a\u202eb', String.raw`a\u202eb`],
    ['an isolate', 'a\u2066b', String.raw`a\u2066b`],
    ['a space without width', 'a\u200bb', String.raw`a\u200bb`],
    ['half of a surrogate pair', 'a\ud83db', String.raw`a\ud83db`],
    ['a tag character', 'a\u{e0041}b', String.raw`a\u{e0041}b`],
    ['a window title', '\u001b]0;x\u0007', String.raw`\u001b]0;x\u0007`],
  ])('shows %s as an escape', (_, hostile, shown) => {
    expect(visible(hostile)).toBe(shown)
  })

  it('leaves ordinary text of any script as it is', () => {
    const text = 'naïve 你好 👋 مرحبا\n\tindented'
    expect(visible(text)).toBe(text)
  })

  it('puts line ends on one line where only one line is wanted', () => {
    expect(visibleLine('a\nb\tc')).toBe(String.raw`a\nb\tc`)
  })

  it('says how much it cut, and never leaves half a character', () => {
    expect(shorten('abcdef', 4)).toBe('abcd… (2 more characters)')
    expect(shorten('abc👋', 4).isWellFormed()).toBe(true)
  })
})
