/** Finds secrets in binary text: a cheap look for those that may be there, then the patterns of just these. */
import type { Hit } from './hits.ts'
import { cutSpellings, spellings } from './spellings.ts'

/** A hit that tells whose it is. */
export interface NamedHit extends Hit {
  name: string
}

export interface Search {
  add(value: string, token: string, name: string): void
  /** As it may stand in a message. */
  asSent(text: string): readonly NamedHit[]
  /** The same, and also cut to size by us. */
  inWords(text: string): readonly NamedHit[]
}

interface Wanted {
  token: string
  name: string
  asSent: RegExp
  inWords: RegExp
}

export function createSearch(): Search {
  const all: Wanted[] = []
  const find = (text: string, which: 'asSent' | 'inWords'): readonly NamedHit[] =>
    all.flatMap((wanted) =>
      Array.from(text.matchAll(wanted[which]), (match) => ({
        start: match.index,
        end: match.index + match[0].length,
        token: wanted.token,
        name: wanted.name,
      })),
    )
  return {
    add(value, token, name) {
      all.push({
        token,
        name,
        asSent: new RegExp(spellings(value).join('|'), 'g'),
        inWords: new RegExp([...spellings(value), ...cutSpellings(value)].join('|'), 'g'),
      })
    },
    asSent: (text) => find(text, 'asSent'),
    inWords: (text) => find(text, 'inWords'),
  }
}
