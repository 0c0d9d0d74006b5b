/** Which exchanges are shown. */
import type { Exchange } from '../state/exchanges.ts'
import { bodyTextOf, summaryOf } from './summary.ts'

export interface Filter {
  /** Anywhere in the path, the key or the bodies, in any casing. */
  readonly text: string
  /** A class such as `4xx`, or a whole status; empty for all. */
  readonly status: string
  /** An outcome; empty for all. */
  readonly outcome: string
}

const statusFits = (status: number | null, wanted: string): boolean =>
  wanted === '' ||
  (wanted === 'none' ? status === null : String(status ?? '').startsWith(wanted.replace(/xx$/, '')))

export function filtered(all: readonly Exchange[], { text, status, outcome }: Filter): readonly Exchange[] {
  const words = text.toLowerCase()
  const fits = (one: Exchange): boolean =>
    statusFits(one.status, status) &&
    (outcome === '' || summaryOf(one).outcome === outcome) &&
    (words === '' ||
      [`${one.method} ${one.path}`, one.idempotencyKey ?? '', one.request.body, bodyTextOf(one)].some(
        (part) => part.toLowerCase().includes(words),
      ))
  return words === '' && status === '' && outcome === '' ? all : all.filter(fits)
}
