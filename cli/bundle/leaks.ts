/**
 * A last look for secrets in what is about to be written. Redaction was done before, by code that knows in how many
 * ways a secret may be spelled; this one shares none of it: it undoes what it can, and looks for secrets as they are.
 */
import { gzipSync } from 'node:zlib'
import type { Secret } from '../../reports/bundle/redaction/redaction.ts'
import { createNeedles, type Needles } from './needles.ts'
import { bytesOf, readings, unescaped } from './undone.ts'

/** A file would have held a secret: nothing of the run may stay. Its message says nothing of the secret. */
export class SecretLeft extends Error {
  override name = 'SecretLeft'
}

type Files = ReadonlyMap<string, string | Uint8Array>

/** Throws SecretLeft where one of the files, or its name, has one of the secrets in it. */
export type LeakScan = (files: Files, secrets: readonly Secret[]) => void

/** Knows the secrets of earlier calls: all files of a run go through one scan. */
export function createLeakScan(): LeakScan {
  const needles = createNeedles()
  const known = new Set<string>()
  const learn = (value: string): void => {
    if (known.has(value)) return
    known.add(value)
    addForms(value, needles)
  }
  mustWork(needles, learn)
  return (files, secrets) => {
    for (const { value } of secrets) learn(value)
    for (const [file, content] of files) {
      if (isIn(file, needles)) throw new SecretLeft(`the name of a file ${wouldHave}`)
      if (isIn(content, needles)) throw new SecretLeft(`${file} ${wouldHave}`)
    }
  }
}

const wouldHave = 'would have held a secret of the target, so nothing of the run was kept'

/** As `createLeakScan`, of one call. */
export function mustBeClean(files: Files, secrets: readonly Secret[]): void {
  createLeakScan()(files, secrets)
}

function isIn(content: string | Uint8Array, needles: Needles): boolean {
  const text = typeof content === 'string' ? bytesOf(content) : Buffer.from(content).toString('latin1')
  return readings(text).some((reading) => needles.areIn(Buffer.from(reading, 'latin1')))
}

/** A secret that looks escaped itself is undone with the text around it. */
function addForms(secret: string, needles: Needles): void {
  const plain = bytesOf(secret)
  const once = unescaped(plain)
  for (const text of new Set([plain, once, unescaped(once), plain.replaceAll(' ', '+')]))
    needles.add(Buffer.from(text, 'latin1'))
  const bytes = Buffer.from(secret)
  const hex = bytes.toString('hex')
  const inBase64 = [0, 1, 2].flatMap((shift) => base64(bytes, shift))
  for (const text of new Set([hex, hex.toUpperCase(), ...inBase64])) needles.add(Buffer.from(text))
}

/** The characters that are the same whatever stands before and after, with `shift` bytes before it modulo 3. */
function base64(bytes: Buffer, shift: number): readonly string[] {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes])
  const [from, to] = [Math.ceil((shift * 8) / 6), Math.floor((whole.length * 8) / 6)]
  return (['base64', 'base64url'] as const).map((alphabet) => whole.toString(alphabet).slice(from, to))
}

const canary = 'a canary/of "the" scan+<1>'

/** That nothing is found says something only of a scan that finds what is there. */
function mustWork(needles: Needles, learn: (value: string) => void): void {
  learn(canary)
  const inJson = JSON.stringify({ answer: JSON.stringify({ said: canary }) })
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
    Buffer.from(inJson).toString('base64').replaceAll(/.{16}/g, '$&\\n'),
    gzipSync(canary).toString('base64'),
  ]
  if (!seen.every((text) => isIn(`{"body":"${text}"}`, needles)))
    throw new Error('the scan for secrets does not find what is there; nothing may be written without it')
}
