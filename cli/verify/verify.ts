/** `touchstone verify`: checks every part of a run bundle and reports each as verified or not. */
import type { KeyObject } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../reports/bundle/json.ts'
import { digestOfFile } from '../../reports/bundle/seal/digest.ts'
import { asEnvelope, isSignedBy, keyIdOf, payloadOf } from '../../reports/bundle/seal/envelope.ts'
import { manifestFile, testResultFile } from '../../reports/bundle/seal/names.ts'
import { payloadType } from '../../reports/bundle/seal/statement.ts'
import { filesBelow } from '../../reports/bundle/seal/walk.ts'
import {
  countOf,
  holds,
  judged,
  notChecked,
  notVerified,
  type InspectionLine,
  type InspectionOutcome,
} from '../../reports/bundle/verify/line.ts'
import { openForVerification, type OpenedBundle } from '../../reports/bundle/verify/opened-bundle.ts'
import { subjectsIn } from '../../reports/bundle/verify/signature.ts'
import { testResultWords } from '../../reports/conformance-statement/statement.ts'
import { visibleLine } from '../../reports/visible.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { publicKeyAt } from '../seal/signer.ts'
import { conclusionOf, type InspectedPart } from './conclusion.ts'
import { inspections, type Asked } from './inspections.ts'

/** Files of the run bundle, which the reader of a statement need not have. */
const ofBundle: readonly unknown[] = ['run.json', manifestFile]

function isStatementFolder(folder: string): boolean {
  return existsSync(join(folder, testResultFile)) && !existsSync(join(folder, 'run.json'))
}

/** Throws what the file system throws if a file cannot be read. */
function inspectStatement(folder: string, key: KeyObject | null): readonly InspectedPart[] {
  const reading = parseJson(readFileSync(join(folder, testResultFile), 'utf8'))
  const envelope = reading.ok ? asEnvelope(reading.value) : null
  if (envelope === null || envelope.payloadType !== payloadType)
    return [{ about: 'signature', ...notVerified(`${testResultFile} is no signed statement`) }]
  const payload = parseJson(Buffer.from(payloadOf(envelope)).toString('utf8'))
  const result = payload.ok ? payload.value : null
  const signature =
    key === null
      ? notChecked('not checked: give --key')
      : judged(
          isSignedBy(envelope, key) ? [] : [`it is not a signature by key id ${keyIdOf(key)}`],
          `signed by key id ${keyIdOf(key)}, verified with the given key`,
          'the signature is not valid for this statement',
        )
  return [
    { about: 'signature', ...signature },
    { about: 'files', ...inspectFiles(folder, subjectsIn(result)) },
    { about: 'result', ...inspectResult(result) },
  ]
}

/** Says what was signed, so that it need not be taken from the page. */
function inspectResult(result: unknown): InspectionLine {
  const words = testResultWords(result)
  return words === null ? notVerified(`${testResultFile} is no test result of a run`) : holds(words)
}

function inspectFiles(folder: string, subjects: ReadonlyMap<unknown, unknown>): InspectionLine {
  const found = filesBelow(folder).filter(({ path }) => path !== testResultFile)
  const names = new Set<unknown>(found.map(({ path }) => path))
  const problems = [
    ...found.flatMap(({ path, plain }) => {
      if (!subjects.has(path)) return [`${path}: not in the signed test result`]
      return plain && digestOfFile(join(folder, path)).sha256 === subjects.get(path)
        ? []
        : [`${path}: not the file that was signed`]
    }),
    ...[...subjects.keys()]
      .filter((name) => !names.has(name) && !ofBundle.includes(name))
      .map((name) => `${String(name)}: signed, and not there`),
  ]
  return judged(
    problems,
    `${countOf(found.length, 'file')} as in the signed test result; the run bundle is not here`,
    'the files are not those that were signed',
  )
}

export interface VerifyOptions {
  key?: string
  rejudge?: boolean
  format: 'text' | 'json'
}

/** Returns the exit code. Throws a UsageError if the folder or the key cannot be read. */
export function verify(folder: string, { key, rejudge = false, format }: VerifyOptions, io: Io): number {
  const asked = { key: key === undefined ? null : publicKeyAt(key), rejudge }
  const isStatement = isStatementFolder(folder)
  const parts = isStatement
    ? inspectStatement(folder, asked.key)
    : [...inspectedParts(openForVerification(folder), asked)]
  const exitCode = verifiedCode(parts)
  const conclusion = conclusionOf(parts, { keyFile: key, rejudge: isStatement ? null : rejudge })
  io.out(format === 'json' ? asJson(parts, exitCode, conclusion) : `${asText(parts)}\n${conclusion}\n`)
  return exitCode
}

/** Every part, one after the other; each may take a second. `left`: parts that are not to be looked at. */
export function* inspectedParts(
  bundle: OpenedBundle,
  asked: Asked,
  left: readonly string[] = [],
): Generator<InspectedPart> {
  for (const [about, inspect] of Object.entries(inspections)) {
    if (left.includes(about)) continue
    let line: InspectionLine | null
    try {
      line = inspect(bundle, asked)
    } catch (error) {
      // A part that cannot be checked does not keep the others from being checked.
      line = notVerified('cannot be checked', [error instanceof Error ? error.message : String(error)])
    }
    if (line !== null) yield { about, ...line }
  }
}

export function verifiedCode(parts: readonly InspectedPart[]): number {
  const outcomes = new Set(parts.map(({ outcome }) => outcome))
  if (outcomes.has('broken')) return exitCodes.nonconformant
  return outcomes.has('incomplete') ? exitCodes.lessExercised : exitCodes.ok
}

export const inspectionSigns: Readonly<Record<InspectionOutcome, string>> = {
  holds: '✓',
  broken: '✗',
  open: '–',
  incomplete: '–',
}

/** Problems listed per part; the rest are counted. */
const most = 20

function asText(parts: readonly InspectedPart[]): string {
  const width = Math.max(...parts.map(({ about }) => about.length))
  const indent = ' '.repeat(width + 4)
  return parts
    .flatMap(({ about, outcome, words, problems }) => [
      `${inspectionSigns[outcome]} ${about.padEnd(width)}  ${visibleLine(words)}`,
      ...problems.slice(0, most).map((problem) => `${indent}${visibleLine(problem)}`),
      ...(problems.length > most ? [`${indent}and ${problems.length - most} more`] : []),
    ])
    .map((line) => `${line}\n`)
    .join('')
}

function asJson(parts: readonly InspectedPart[], exitCode: number, conclusion: string): string {
  const lines = parts.map(({ about, outcome, words, problems }) => ({
    about,
    outcome,
    words: visibleLine(words),
    problems: problems.map(visibleLine),
  }))
  return `${JSON.stringify({ schemaVersion: 1, holds: exitCode === exitCodes.ok, exitCode, conclusion, lines }, null, 2)}\n`
}
