/**
 * Writes spec/vectors/signature.json. With `--check` nothing is written: it ends with exit code 1 where the file is
 * not what openssl and the table make.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { contractIdentifiers } from '../../spec/identifiers.ts'
import { commonSecret, rows, type Row } from './table.ts'

const path = 'spec/vectors/signature.json'
/** Longer bodies are described by what they repeat, to keep the file readable. */
const longest = 4_096

const bytesOf = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? Buffer.from(body) : body

function vector([name, row]: [string, Row]) {
  const { secret = commonSecret, accept, because } = row
  const body = bytesOf(row.body)
  const headers = row.headers((change) =>
    opensslDigest(bytesOf(change?.body ?? body), change?.secret ?? secret),
  )
  return { name, accept, because, secret, body: written(body), digest: opensslDigest(body, secret), headers }
}

function written(body: Uint8Array) {
  if (body.length > longest) return repeated(body)
  const base64 = Buffer.from(body).toString('base64')
  const text = Buffer.from(body).toString('utf8')
  return Buffer.from(text).equals(body) ? { base64, text } : { base64 }
}

/** A beginning, one byte many times, and an end of two bytes. */
function repeated(body: Uint8Array) {
  const text = Buffer.from(body).toString('utf8')
  const [, before = '', run = '', after = ''] = /^(.*?)((?:x)+)([^x]*)$/s.exec(text) ?? []
  return { before, repeat: 'x', times: run.length, after }
}

const document = {
  about:
    'HMAC-SHA256 over the raw body, keyed with the secret as UTF-8, as 64 small hex digits after `sha256=`. ' +
    'Digests are made by the openssl command. `body.base64` has the bytes, and `body.text` the same where they are UTF-8; ' +
    'a long body is `before`, `repeat` so many `times`, and `after`, all ASCII. `headers` are the values sent, one for ' +
    'each header line, a character a byte (Latin-1); none where the header is missing. `digest` is the true one.',
  header: contractIdentifiers.signatureHeader,
  vectors: Object.entries(rows).map(vector),
}

/** What an editor would not show, or would lose. */
const hidden = /[\u2028\u2029\ufeff]/g
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const text = `${JSON.stringify(document, null, 2).replaceAll(hidden, escaped)}\n`
if (process.argv.includes('--check')) {
  if (readFileSync(path, 'utf8') !== text) {
    console.error(
      `${path} is not what test/vectors/main.ts makes: run \`npm run vectors\` and commit the result.`,
    )
    process.exitCode = 1
  }
} else {
  writeFileSync(path, text)
  console.error(`Wrote ${document.vectors.length} vectors to ${path}.`)
}

/** The digest in small hex digits. An empty secret is one zero byte: HMAC fills a key up with those. */
function opensslDigest(body: Uint8Array, secret: string): string {
  const key = Buffer.from(secret).toString('hex') || '00'
  const words = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key}`]
  const printed = execFileSync('openssl', words, { input: body, encoding: 'utf8' })
  const [digest] = /[0-9a-f]{64}/.exec(printed) ?? []
  if (digest === undefined) throw new Error(`openssl ${words.join(' ')} printed no digest: ${printed}`)
  return digest
}
