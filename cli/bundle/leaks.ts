/**
 * A last look for secrets in what is about to be written. Redaction was done before, by other code that knows
 * many more spellings; this one is plain and fast, and finds what a defect over there would let through.
 */
import type { Secret } from '../../suites/wire/redaction.ts'

/** Throws, with the name of the file and nothing of the secret, when one slipped through. */
export function mustBeClean(
  files: ReadonlyMap<string, string | Uint8Array>,
  secrets: readonly Secret[],
): void {
  const forms = secrets.flatMap(({ value }) => formsOf(value))
  for (const [file, content] of files) {
    const text = typeof content === 'string' ? content : Buffer.from(content).toString('latin1')
    if (forms.some((form) => text.includes(form)))
      throw new Error(`${file} would have held a secret of the target, so no report was written`)
  }
}

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  return [
    secret,
    encodeURIComponent(secret),
    hex,
    hex.toUpperCase(),
    ...[0, 1, 2].flatMap((shift) => base64(bytes, shift)),
  ]
}

/** The characters that are the same whatever stands before and after, with `shift` bytes before it modulo 3. */
function base64(bytes: Buffer, shift: number): readonly string[] {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes])
  const [from, to] = [Math.ceil((shift * 8) / 6), Math.floor((whole.length * 8) / 6)]
  return (['base64', 'base64url'] as const).map((alphabet) => whole.toString(alphabet).slice(from, to))
}
