/**
 * Looks for secrets in what is about to be written. It shares no code with redaction: it decodes a text as far as
 * possible and looks for secrets as they are.
 */
import { gzipSync } from 'node:zlib'
import { binary } from '../text.ts'
import { boundsOf, decodings, unescaped } from './decoded.ts'
import { createNeedles } from './needles.ts'

/** A file would contain a secret: nothing of the run may stay. The message does not quote it. */
export class SecretLeft extends Error {
  override name = 'SecretLeft'
}

/** A file would contain more that is encoded than is looked into. */
export class Unsearched extends SecretLeft {
  override name = 'Unsearched'
}

export interface LeakDetector {
  learn(secret: string): void
  in(text: string): boolean
  /** Those of the secrets that are in a text of one character per byte. */
  found(text: string): ReadonlySet<string>
  /** `bounds`: it is encoded deeper, or in more bytes, than is looked into, and no secret was found so far. */
  look(text: string): 'secret' | 'bounds' | null
}

export function createLeakDetector(): LeakDetector {
  const needles = createNeedles<string>()
  const known = new Set<string>()
  function look(text: string): 'secret' | 'bounds' | null {
    if (known.size === 0) return null
    const bounds = boundsOf(text)
    for (const decoded of decodings(text, bounds)) if (!needles.in(decoded).next().done) return 'secret'
    return bounds.whole ? null : 'bounds'
  }
  return {
    learn(secret) {
      if (known.has(secret)) return
      known.add(secret)
      for (const form of formsOf(secret)) needles.add(form, secret)
    },
    found(text) {
      const secrets = new Set<string>()
      for (const decoded of decodings(text, boundsOf(text)))
        for (const { of } of needles.in(decoded)) secrets.add(of)
      return secrets
    },
    look,
    in: (text) => look(binary(text)) === 'secret',
  }
}

type Files = ReadonlyMap<string, string | Uint8Array>

/**
 * Throws SecretLeft where a file, or its name, contains one of the secrets. `isOfTarget`: also Unsearched where more is
 * encoded in one than is looked into, as whoever wrote it may hide a secret there.
 */
export type LeakScan = (files: Files, secrets: readonly { value: string }[], isOfTarget?: boolean) => void

/** Knows the secrets of earlier calls: all files of a run go through one scan. */
export function createLeakScan(): LeakScan {
  const detector = createLeakDetector()
  mustWork(detector)
  return (files, secrets, isOfTarget = false) => {
    for (const { value } of secrets) detector.learn(value)
    for (const [file, content] of files) {
      if (detector.in(file)) throw new SecretLeft(`the name of a file ${wouldHave}`)
      const isText = typeof content === 'string'
      for (const part of partsOf(isText ? content : Buffer.from(content).toString('latin1'))) {
        const looked = detector.look(isText ? binary(part) : part)
        if (looked === 'secret') throw new SecretLeft(`${file} ${wouldHave}`)
        if (looked === 'bounds' && isOfTarget) throw new Unsearched(`${file} ${wouldHide}`)
      }
    }
  }
}

/** Decoding takes many times what is decoded. Several bodies, so that most files are looked through at once. */
const leastOfPart = 4 << 20
/** More than any encoding of a secret takes, where a file has quotes that are no ends of texts. */
const overlap = 1 << 16

/** Each begins and ends with a quote that nothing escapes: no text of JSON is cut. */
function* partsOf(content: string): Generator<string> {
  let from = 0
  for (;;) {
    let quote = content.indexOf('"', from + leastOfPart)
    while (quote !== -1 && content[quote - 1] === '\\') quote = content.indexOf('"', quote + 1)
    if (quote === -1) break
    yield content.slice(from, quote + 1)
    const back = content.lastIndexOf('"', quote - overlap) + 1
    from = back > from ? back : quote + 1
  }
  yield content.slice(from)
}

const wouldHave = 'would contain a secret of the target, so the run was not written'
const wouldHide = 'would contain more than can be decoded to look for secrets, so the run was not written'

/** A secret that looks escaped itself is decoded with the text around it. */
function formsOf(secret: string): readonly string[] {
  const plain = binary(secret)
  const once = unescaped(plain)
  const bytes = Buffer.from(secret)
  const inBase64 = [0, 1, 2].flatMap((shift) => base64(bytes, shift))
  const texts = [plain, once, unescaped(once), plain.replaceAll(' ', '+'), bytes.toString('hex'), ...inBase64]
  return [...new Set(texts)].filter(({ length }) => length >= 4)
}

/** The characters that are the same whatever is before and after, with `shift` bytes before it modulo 3. */
function base64(bytes: Buffer, shift: number): readonly string[] {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes])
  const [from, to] = [Math.ceil((shift * 8) / 6), Math.floor((whole.length * 8) / 6)]
  return (['base64', 'base64url'] as const).map((alphabet) => whole.toString(alphabet).slice(from, to))
}

const canary = 'a canary/of "the" scan+<1>'

/** A scan that finds nothing proves something only if it finds what is there. */
function mustWork(detector: LeakDetector): void {
  detector.learn(canary)
  const inJson = JSON.stringify({ answer: JSON.stringify({ text: canary }) })
  const events = Array.from(canary, (piece) => `data: {"type":"token","token":${JSON.stringify(piece)}}\n\n`)
  const seen = [
    canary,
    JSON.stringify({ text: events.join('') }),
    inJson,
    encodeURIComponent(inJson),
    inJson.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&#34;'),
    Buffer.from(`.${canary}`).toString('base64url'),
    Buffer.from(Buffer.from(inJson).toString('base64')).toString('base64'),
    Buffer.from(canary).toString('hex'),
    Array.from(canary).join('\\u0000'),
    gzipSync(canary).toString('base64'),
  ]
  if (!seen.every((text) => detector.in(`{"body":"${text}"}`)))
    throw new Error('the scan for secrets does not find what is there; nothing may be written without it')
}
