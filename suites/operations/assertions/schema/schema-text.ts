/** Strings for the patterns and formats of a schema that every parser accepts. */
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'

/** Any character, or any but some: what a server makes of every character in between is not in the schema. */
const vague = /\[\^|\\[DSWspP]|(?<!\\)\.(?![^[]*\])/

const mostTimes = 512

/**
 * Null for a pattern that is not anchored at both ends, is vague or has a syntax that cannot be generated, and where
 * too few of its strings fit.
 */
export function textLike(pattern: string, fits: (text: string) => boolean): fc.Arbitrary<string> | null {
  const counts = Array.from(pattern.matchAll(/\{(\d+)/g), ([, count]) => Number(count))
  if (!/^\^.*\$$/s.test(pattern) || vague.test(pattern) || Math.max(0, ...counts) > mostTimes) return null
  try {
    const { like, examples } = generated(pattern)
    return examples.filter(fits).length < 10 ? null : like.filter(fits)
  } catch {
    return null
  }
}

interface Generated {
  readonly like: fc.Arbitrary<string>
  readonly examples: readonly string[]
}

/** Every command sequence asks for the same few patterns. */
const byPattern = new Map<string, Generated>()
const mostPatterns = 200

/** Throws for a syntax that cannot be generated. */
function generated(pattern: string): Generated {
  const known = byPattern.get(pattern)
  if (known) return known
  const like = fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' })
  const made = { like, examples: fc.sample(like, { seed: 1, numRuns: 40 }) }
  if (byPattern.size < mostPatterns) byPattern.set(pattern, made)
  return made
}

const word = '[a-z]{3,10}'
const date = '203[0-4]-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])'
const time = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:00Z'

export const formatPatterns: Readonly<Record<string, string>> = {
  date: `^${date}$`,
  time: `^${time}$`,
  'date-time': `^${date}T${time}$`,
  email: `^${word}@example\\.com$`,
  uuid: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
  uri: `^https://example\\.com/${word}$`,
  hostname: `^${word}\\.example\\.com$`,
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
