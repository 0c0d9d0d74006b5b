/** What takes credentials out of what is kept or shown. */
import type { Header } from '../http/reply.ts'

const secretMarks = ['sk-', 'sess_', 'whsec_', 'ak_'] as const

/** A text without API keys, session tokens and webhook secrets, which clients put into the strangest places. */
export function withoutKeys(text: string): string {
  if (!secretMarks.some((mark) => text.includes(mark))) return text
  return text.replace(/(?:sk-|sess_|whsec_|\bak_)[\w-]+/g, '[redacted]')
}

/** The body of a management answer without the secret in it, whatever that looks like. */
export function withoutSecretKey(text: string): string {
  return withoutKeys(text.replace(/("secret_key"\s*:\s*)"(?:[^"\\]|\\.)*"/g, '$1"[redacted]"'))
}

const credentialHeaders = new Set(['authorization', 'cookie'])

/** Credentials stay out of the journal, whatever the header is called in. */
export function redacted(headers: readonly Header[]): readonly Header[] {
  return headers.map((header) => {
    const [name, value] = header
    if (credentialHeaders.has(name.toLowerCase())) return [name, '[redacted]'] as const
    const plain = withoutKeys(value)
    return plain === value ? header : ([name, plain] as const)
  })
}
