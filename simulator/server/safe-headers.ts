/** What keeps a browser from making more of an answer than the JSON that it is, wherever it is opened. */
import type { HeaderLine } from './reply.ts'

/**
 * For answers of the simulator itself: they may name keys and hold texts of anybody. Nothing in them runs, no page
 * frames or embeds them, no cache keeps them.
 */
export const safeHeaders: readonly HeaderLine[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cache-Control', 'no-store'],
]
