/** A fingerprint of constant size. */
import { hash } from 'node:crypto'

/** Long texts as their digest. */
export function brief(text: string): string {
  return text.length <= 128 ? text : hash('sha256', text, 'base64url')
}
