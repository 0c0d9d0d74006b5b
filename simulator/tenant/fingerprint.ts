/** Texts as they are remembered: short, and in one piece. */
import { hash } from 'node:crypto'

/** Long texts as their digest. */
export function brief(text: string): string {
  return text.length <= 128 ? inOnePiece(text) : hash('sha256', text, 'base64url')
}

/**
 * The same text. V8 keeps a text that was put together as its parts, which take twice the memory, until somebody reads a
 * character; the result has to depend on it, or nothing is read.
 */
export const inOnePiece = (text: string): string => (Number.isNaN(text.charCodeAt(0)) ? '' : text)
