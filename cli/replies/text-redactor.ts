/**
 * Redacts texts of a conversation: known secrets in every encoding, and what looks like a secret, an email address or a
 * number. Counts redactions by kind.
 */
import { apart, splice, type Hit } from '../../reports/bundle/redaction/hits.ts'
import { createRedactor } from '../../reports/bundle/redaction/redaction.ts'

export interface Secret {
  kind: 'api-key' | 'redacted'
  value: string
}

export interface TextRedactor {
  text: (text: string) => string
  /** Redacts consecutive texts, including secrets split across them; may join them into one. */
  pieces: (pieces: readonly string[]) => readonly string[]
  /** Redactions by kind. */
  counts(): Readonly<Record<string, number>>
  /** Whether a text has a known secret in any encoding. */
  leaks(text: string): boolean
}

interface Found extends Hit {
  kind: string
}

/** The first matching kind counts. */
const patterns: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    'api-key',
    /(?<![\w-])(?:sk|pk|ak|sess|whsec)[-_][\w-]{6,}|(?<=\bbearer\s+)[\w.~+/-]{8,}=*|\beyJ[\w-]+\.[\w-]+\.[\w-]*/gi,
  ],
  ['email', /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu],
  ['number', /(?<![\w.])\d(?:[ -]?\d){12,18}(?!\w)/g],
  ['phone', /(?:\+|\b00|\(|\b)\d[\d ()./-]{5,}\d\b/g],
  ['number', /\d{7,}/g],
]

const digits = (text: string): number => text.replaceAll(/\D/g, '').length

/** Dates, and too few digits for a phone number. */
const harmless = (kind: string, text: string): boolean =>
  kind === 'phone' && (digits(text) < 7 || /^\d{4}-\d{2}-\d{2}$/.test(text))

/** Throws if a secret is too short to be distinguished from other text. */
export function createTextRedactor(secrets: readonly Secret[]): TextRedactor {
  const spelled = createRedactor(secrets.map(({ kind, value }, at) => ({ name: `${kind}:${at + 1}`, value })))
  const counts = new Map<string, number>()

  function found(text: string): readonly Found[] {
    const hit = (kind: string, start: number, length: number): Found => ({
      kind,
      start,
      end: start + length,
      token: `[${kind}]`,
    })
    const byValue = secrets.flatMap(({ kind, value }) =>
      placesOf(value, text).map((at) => hit(kind, at, value.length)),
    )
    const byLook = patterns.flatMap(([kind, pattern]) =>
      Array.from(text.matchAll(pattern), ({ index, 0: match }) => ({
        ...hit(kind, index, match.length),
        match,
      }))
        .filter(({ match }) => !harmless(kind, match))
        .map(({ match: _match, ...rest }) => rest),
    )
    const kept: Found[] = []
    for (const one of [...byValue, ...byLook])
      if (!kept.some(({ start, end }) => one.start < end && start < one.end)) kept.push(one)
    return apart(kept)
  }
  function count(hits: readonly Found[]): void {
    for (const { kind } of hits) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  function pieces(list: readonly string[]): readonly string[] {
    const whole = list.join('')
    const hits = found(whole)
    count(hits)
    const plain = splice(whole, hits)
    const kept = spelled.text(plain)
    // The position of an encoded secret within the pieces is unknown.
    if (kept !== plain) return [kept]
    let next = 0
    return list.map((piece) => {
      const from = next
      next += piece.length
      return splice(whole, hits, from, next)
    })
  }
  return {
    pieces,
    text: (text) => pieces([text])[0] ?? '',
    counts: () => {
      const others = Object.values(spelled.counts()).reduce((sum, times) => sum + times, 0)
      return { ...Object.fromEntries(counts), ...(others > 0 && { 'other encodings': others }) }
    },
    leaks: (text) => spelled.text(text) !== text,
  }
}

function placesOf(value: string, text: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) places.push(at)
  return places
}
