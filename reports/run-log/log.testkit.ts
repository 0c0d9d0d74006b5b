/** Logs as runs write them, and the tools of a forger. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { signedLine, type RunEnd, type RunLogEntry, type RunStart } from './entry.ts'
import { sha256 } from '../bundle/seal/digest.ts'
import { keyIdOf, signerOf, type Signer } from '../bundle/seal/envelope.ts'

interface KeyPair {
  publicKey: KeyObject
  signer: Signer
}

function pair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return { publicKey, signer: signerOf(keyIdOf(publicKey), privateKey) }
}
export const release = pair()
export const stranger = pair()

export const digit = (one: string): string => one.repeat(64)

export function start(version = '4.2.1', name = 'acme'): RunStart {
  return {
    is: 'start',
    target: { name, kind: 'staging', baseUrl: 'https://acme.example', version },
    contract: { revision: '2026-11', digest: digit('c') },
    tool: { name: 'touchstone', version: '0.1.0' },
    plan: { digest: digit('d'), checks: 400, narrowed: null },
  }
}

export function end(conformance: 'conformant' | 'nonconformant', manifest = digit('a')): RunEnd {
  const exitCode = conformance === 'conformant' ? 0 : 1
  const result = {
    conformance,
    gatePassed: exitCode === 0,
    lifecycle: 'finished',
    record: digit('b'),
    manifest,
  } as const
  return { is: 'end', exitCode, result }
}

export type Content = readonly [run: string, content: RunStart | RunEnd, at?: string]

/** Two runs that failed, one that was cut off, and the one that was handed over. */
export const contents: readonly Content[] = [
  ['run-1', start()],
  ['run-1', end('nonconformant', digit('1'))],
  ['run-2', start()],
  ['run-3', start()],
  ['run-3', end('nonconformant', digit('3'))],
  ['run-4', start()],
  ['run-4', end('conformant', digit('4'))],
]

/** Lines without line feeds, chained and signed. */
export function linesOf(all: readonly Content[], { signer }: KeyPair = release): readonly string[] {
  const lines: string[] = []
  for (const [index, [run, content, at = `2026-11-24T09:0${index}:00.000Z`]] of all.entries()) {
    const before = lines.at(-1)
    const previous = before === undefined ? null : sha256(before)
    const entry: RunLogEntry = { schemaVersion: 1, number: index + 1, previous, at, run, ...content }
    lines.push(signedLine(entry, signer))
  }
  return lines
}

interface WrittenLine {
  payloadType: string
  payload: string
  signatures: { keyid: string; sig: string }[]
}

/** A line with another payload and the signature that was there. */
export function altered(line: string, change: (entry: Record<string, unknown>) => void): string {
  return spelled(line, (written) => {
    const entry = JSON.parse(Buffer.from(written.payload, 'base64').toString()) as Record<string, unknown>
    change(entry)
    written.payload = Buffer.from(JSON.stringify(entry)).toString('base64')
  })
}

/** A line with a change to what is around the payload. */
export function spelled(line: string, change: (written: WrittenLine) => void): string {
  const written = JSON.parse(line) as WrittenLine
  change(written)
  return JSON.stringify(written)
}
