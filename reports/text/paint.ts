/** Colour for a terminal. Whether to use it is decided outside and handed in. */
import { styleText } from 'node:util'
import type { Tone } from '../verdicts/verdicts.ts'

export type Paint = (what: Tone | 'strong', text: string) => string

const formats = { good: 'green', bad: 'red', doubt: 'yellow', quiet: 'gray', strong: 'bold' } as const

export function painter(colour: boolean): Paint {
  // The environment was asked already, so styleText must not ask again.
  return colour
    ? (what, text) => styleText(formats[what], text, { validateStream: false })
    : (_, text) => text
}
