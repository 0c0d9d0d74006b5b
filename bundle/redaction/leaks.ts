/**
 * Looks for secrets in what was redacted, and at the end in every file. It shares no code with redaction: it decodes a
 * text as far as possible and looks for secrets as they are.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { evidenceFolder } from '../journal/evidence.ts'
import { journalFile } from '../names.ts'
import { filesBelow } from '../seal/digest.ts'
import { binary, wireForms, withoutPrefix } from '../text.ts'
import { boundsOf, decodings, unescaped } from './decoded.ts'
import { createNeedles } from './needles.ts'

/** A file would contain a secret: nothing of the run may stay. The message does not quote it. */
export class SecretLeft extends Error {
  override name = 'SecretLeft'
}

export function createLeakDetector() {
  const needles = createNeedles<string>()
  const known = new Set<string>()
  /** Those of the secrets that are in a text of one character per byte. */
  function* found(text: string, bounds = boundsOf(text)): Generator<string> {
    if (known.size === 0) return
    for (const decoded of decodings(text, bounds)) for (const { of } of needles.in(decoded)) yield of
  }
  return {
    learn(secret: string): void {
      if (known.has(secret)) return
      known.add(secret)
      for (const form of withoutPrefix(secret).flatMap(formsOf)) needles.add(form, secret)
    },
    found,
    /** Whether such a text has one, or is encoded deeper, or in more bytes, than is looked into. */
    mayHave(text: string): boolean {
      const bounds = boundsOf(text)
      return !found(text, bounds).next().done || !bounds.whole
    },
    in: (text: string): boolean => !found(binary(text)).next().done,
  }
}

export const isDisclosed = (name: string): boolean =>
  /^(?:webhook-secret|cookie|custom-header):\d+$/.test(name)

/**
 * Throws SecretLeft, with nothing of the secret, where a file, or its name, contains one. A secret that a response
 * disclosed after it had stood in the journal is none. `files`: contents have one character per byte.
 */
export function mustHaveNoSecret(
  files: Iterable<readonly [file: string, content: string]>,
  secrets: readonly { name: string; value: string }[],
): void {
  const detector = createLeakDetector()
  // A scan that finds nothing proves something only if it finds what is there.
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
  const names = new Map(secrets.map(({ name, value }) => [value, name]))
  for (const { value } of secrets) detector.learn(value)
  const inJournal = new Set<string>()
  const inReports: { where: string; secret: string }[] = []
  const leftIn = (where: string, secret: string): SecretLeft =>
    new SecretLeft(`${where} would contain the secret ${names.get(secret)}, so the run was not written`)
  const see = (file: string, where: string, text: string): void => {
    for (const secret of detector.found(text)) {
      if (!isDisclosed(names.get(secret) ?? '')) throw leftIn(where, secret)
      if (file === journalFile || file.startsWith(`${evidenceFolder}/`)) inJournal.add(secret)
      else inReports.push({ where, secret })
    }
  }
  for (const [file, content] of files) {
    see(file, 'the name of a file', binary(file))
    for (const part of partsOf(content)) see(file, file, part)
  }
  const left = inReports.find(({ secret }) => !inJournal.has(secret))
  if (left) throw leftIn(left.where, left.secret)
}

/** What is written of a run; of a large file one piece after the other, as a journal may be hundreds of megabytes. */
export function* writtenBelow(folder: string): Generator<readonly [file: string, content: string]> {
  for (const { path, plain } of filesBelow(folder))
    if (plain) for (const piece of piecesOf(join(folder, path))) yield [path, piece]
}

/** They overlap, and are cut where parts are. */
function* piecesOf(path: string): Generator<string> {
  const file = openSync(path, 'r')
  try {
    let buffer = commonBuffer
    for (let from = 0; ;) {
      let length = 0
      for (let more; (more = readSync(file, buffer, length, buffer.length - length, from + length)) > 0;)
        length += more
      const piece = buffer.toString('latin1', 0, length)
      if (length < buffer.length) return yield piece
      let quote = piece.lastIndexOf('"')
      while (quote > 0 && piece[quote - 1] === '\\') quote = piece.lastIndexOf('"', quote - 1)
      const back = quote > overlap ? piece.lastIndexOf('"', quote - overlap) + 1 : 0
      if (back > 0) yield piece.slice(0, quote + 1)
      else buffer = Buffer.allocUnsafeSlow(2 * buffer.length)
      from += back
    }
  } finally {
    closeSync(file)
  }
}

/** Decoding takes many times what is decoded. Several bodies, so that most files are looked through at once. */
const leastOfPart = 1 << 20
/** One for all files, as no two are read at the same time. */
const commonBuffer = Buffer.allocUnsafeSlow(leastOfPart)
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

/** A secret that looks escaped itself is decoded with the text around it. */
const formsOf = (secret: string): readonly string[] => [...new Set(wireForms(secret).flatMap(formsIn))]

function formsIn(bytes: Buffer): readonly string[] {
  const plain = bytes.toString('latin1')
  const once = unescaped(plain)
  const inBase64 = [0, 1, 2].flatMap((shift) => {
    // The characters that are the same whatever is before and after, with `shift` bytes before it modulo 3.
    const whole = Buffer.concat([Buffer.alloc(shift), bytes])
    const [from, to] = [Math.ceil((shift * 8) / 6), Math.floor((whole.length * 8) / 6)]
    return (['base64', 'base64url'] as const).map((alphabet) => whole.toString(alphabet).slice(from, to))
  })
  const texts = [plain, once, unescaped(once), plain.replaceAll(' ', '+'), bytes.toString('hex'), ...inBase64]
  return texts.filter(({ length }) => length >= 4)
}

const canary = 'a canary/of "the" scan+<1>'
