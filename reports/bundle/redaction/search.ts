/** Finds secrets in binary text: a cheap look for those that may be there, then the patterns of just these. */
import type { Hit } from './hits.ts'
import { formsOf, type Form } from './spellings.ts'
import { createSuspicion, isCalm, pieceLength } from './suspicion.ts'

/** A hit with the name that it counts under. */
export interface NamedHit extends Hit {
  name: string
}

export interface Search {
  add: (value: string, token: string, name: string) => void
  /** As it may stand in a message. Hits may overlap. */
  asSent: (text: string) => readonly NamedHit[]
  /** The same, and also cut to size by us. */
  inWords: (text: string) => readonly NamedHit[]
}

interface Wanted extends Pick<NamedHit, 'token' | 'name' | 'follows'> {
  form: Form
  whole?: RegExp
  /** Matches at one place. */
  cut?: RegExp
}

/** Binary text of the ellipsis. */
const ellipsis = '\xe2\x80\xa6'

export function createSearch(): Search {
  const all: Wanted[] = []
  const whole = suspects()
  const cut = suspects()
  let shortest = Infinity

  function asSent(text: string): readonly NamedHit[] {
    // No spelling is shorter than its secret, and most headers are shorter than any secret.
    if (text.length < shortest) return []
    const suspected = new Set(whole.always)
    whole.suspicion.look(text, (id) => suspected.add(id))
    return [...suspected].flatMap((id) => {
      const wanted = all[id]
      return wanted ? allOf(wanted, text) : []
    })
  }
  function inWords(text: string): readonly NamedHit[] {
    const found = [...asSent(text)]
    if (!text.includes(ellipsis)) return found
    const look = (id: number, at: number): void => {
      const wanted = all[id]
      if (wanted) found.push(...cutAt(wanted, text, at))
    }
    cut.suspicion.look(text, look)
    for (const id of cut.always) for (let at = 0; at < text.length; at++) look(id, at)
    return found
  }
  return {
    add(value, token, name) {
      shortest = Math.min(shortest, value.length, longest / 2)
      for (const [at, part] of partsOf(value).entries())
        for (const form of formsOf(part)) {
          const id = all.push({ token, name, form, ...(at > 0 ? { follows: true } : {}) }) - 1
          whole.add(lastCalm(form.text), id)
          cut.add(firstCalm(form.text), id)
        }
    },
    asSent,
    inWords,
  }
}

/** A pattern of more characters takes long to make, and of some thousands more than there is. */
const longest = 512

function partsOf(value: string): readonly string[] {
  const points = Array.from(value)
  const count = Math.ceil(points.length / longest)
  const size = Math.ceil(points.length / count)
  return Array.from({ length: count }, (_, i) => points.slice(i * size, (i + 1) * size).join(''))
}

/** Those that are told by a piece of theirs, and those that have none and are always suspected. */
function suspects() {
  const suspicion = createSuspicion()
  const always: number[] = []
  const add = (piece: string | null, id: number): void => {
    if (piece === null) always.push(id)
    else suspicion.add(piece, id)
  }
  return { suspicion, always, add }
}

/** The last piece, because many secrets begin alike. */
function lastCalm(text: string): string | null {
  for (let end = text.length; end >= pieceLength; end--) {
    const piece = text.slice(end - pieceLength, end)
    if (isCalm(piece)) return piece
  }
  return null
}

function firstCalm(text: string): string | null {
  const piece = text.slice(0, pieceLength)
  return piece.length === pieceLength && isCalm(piece) ? piece : null
}

/** What a character that is written in another way begins with, but for those of base64. */
const escape = /[%\\&+]/

function allOf(wanted: Wanted, text: string): readonly NamedHit[] {
  const { literal } = wanted.form
  // A pattern takes far longer to make than to use, and most secrets stand as they are where they stand at all.
  if (literal !== null && !escape.test(text)) return allLiteral(wanted, literal, text)
  wanted.whole ??= new RegExp(wanted.form.whole(), 'g')
  return Array.from(text.matchAll(wanted.whole), (match) => hit(wanted, match.index, match[0]))
}

function allLiteral(wanted: Wanted, literal: string, text: string): readonly NamedHit[] {
  const found: NamedHit[] = []
  for (let at = text.indexOf(literal); at !== -1; at = text.indexOf(literal, at + literal.length))
    found.push(hit(wanted, at, literal))
  return found
}

function cutAt(wanted: Wanted, text: string, at: number): readonly NamedHit[] {
  wanted.cut ??= new RegExp(wanted.form.cut(), 'y')
  wanted.cut.lastIndex = at
  const match = wanted.cut.exec(text)
  return match ? [hit(wanted, match.index, match[0])] : []
}

function hit({ token, name, follows }: Wanted, start: number, text: string): NamedHit {
  return { start, end: start + text.length, token, name, ...(follows ? { follows } : {}) }
}
