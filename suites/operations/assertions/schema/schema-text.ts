/** Strings that match a simple pattern: characters, classes and counts, anchored at both ends. */
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'

/** One part of a pattern: a class or a character, and its count. */
const step =
  /(\[[^\]^][^\]]*\]|\\d|\\w|\((?:[^()\\]|\\.)*\)|[A-Za-z0-9_ :@#%&,;=~"'<>/!-]|\\[-.+*?^$()[\]{}|/\\])(\{\d+(?:,\d*)?\}|[?*+])?/y

/** Null for a pattern with any other syntax, or one that is not anchored. */
export function textLike(pattern: string): fc.Arbitrary<string> | null {
  const inner = /^\^(.*)\$$/s.exec(pattern)?.[1]
  if (inner === undefined) return null
  const test = compiled(pattern)
  const made = partsOf(inner)
  return made && test && made.filter((text) => test.test(text))
}

function compiled(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return null
  }
}

/** Milliseconds for matching one text: a pattern of a target may backtrack for ever. */
const timeout = 50

/** Null if unknown: the pattern is invalid, or takes too long. */
export function matchesPattern(pattern: string, text: string): boolean | null {
  try {
    return runInNewContext("new RegExp(pattern, 'u').test(text)", { pattern, text }, { timeout }) === true
  } catch {
    return null
  }
}

/** The most repetitions of a part. */
const mostTimes = 512

function partsOf(pattern: string): fc.Arbitrary<string> | null {
  const parts: fc.Arbitrary<string>[] = []
  let at = 0
  while (at < pattern.length) {
    step.lastIndex = at
    const found = step.exec(pattern)
    const [whole = '', atom = '', count = ''] = found ?? []
    const made = whole === '' ? null : atomLike(atom)
    if (!made) return null
    const { least, most } = countOf(count)
    if (least > mostTimes || least > most) return null
    parts.push(
      fc
        .array(made, { minLength: least, maxLength: Math.min(most, mostTimes) })
        .map((texts) => texts.join('')),
    )
    at += whole.length
  }
  return fc.tuple(...parts).map((texts) => texts.join(''))
}

/** A group is any of its alternatives, which are patterns themselves. */
function atomLike(atom: string): fc.Arbitrary<string> | null {
  if (atom === '\\d') return fc.constantFrom(...Array.from('0123456789'))
  if (atom === '\\w') return fc.constantFrom(...Array.from('abcxyzABC0189_'))
  if (atom.startsWith('\\')) return fc.constant(atom.slice(1))
  if (atom.startsWith('(')) return alternatives(atom.slice(1, -1).replace(/^\?:/, ''))
  return atom.startsWith('[') ? classLike(atom.slice(1, -1)) : fc.constant(atom)
}

function alternatives(inner: string): fc.Arbitrary<string> | null {
  const made = inner.split('|').map(partsOf)
  const sure = made.filter((one) => one !== null)
  return sure.length === made.length ? fc.oneof(...sure) : null
}

/** Characters and ranges of letters and digits. */
function classLike(inner: string): fc.Arbitrary<string> | null {
  const characters: string[] = []
  for (let at = 0; at < inner.length; at++) {
    const [from = '', dash, to] = [inner[at], inner[at + 1], inner[at + 2]]
    if (from === '\\') return null
    if (dash === '-' && to !== undefined) {
      for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++)
        characters.push(String.fromCharCode(code))
      at += 2
    } else characters.push(from)
  }
  return characters.length > 0 ? fc.constantFrom(...characters) : null
}

function countOf(count: string): { least: number; most: number } {
  if (count === '') return { least: 1, most: 1 }
  if (count === '?') return { least: 0, most: 1 }
  if (count === '*') return { least: 0, most: 4 }
  if (count === '+') return { least: 1, most: 5 }
  const [least = 0, most = least] = count.slice(1, -1).split(',').map(Number)
  return { least, most: count.endsWith(',}') ? least + 4 : Math.max(most, least) }
}
