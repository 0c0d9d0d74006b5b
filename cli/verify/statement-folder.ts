/** What `touchstone certify --sign-key` wrote: whether its signed test result is about the files beside it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyObject } from 'node:crypto'
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
} from '../../reports/bundle/verify/line.ts'
import { subjectsIn } from '../../reports/bundle/verify/signature.ts'
import { testResultWords } from '../../reports/conformance-statement/test-result.ts'
import type { InspectedPart } from './conclusion.ts'

/** Files of the run bundle, which the reader of a statement need not have. */
const ofBundle: readonly unknown[] = ['run.json', manifestFile]

export function isStatementFolder(folder: string): boolean {
  return existsSync(join(folder, testResultFile)) && !existsSync(join(folder, 'run.json'))
}

/** Throws what the file system throws if a file cannot be read. */
export function inspectStatement(folder: string, key: KeyObject | null): readonly InspectedPart[] {
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
