/** `touchstone verify`: checks every part of a run bundle and reports each as verified or not. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyObject } from 'node:crypto'
import { plainOrRefused } from '../../bundle/folder/plain-file.ts'
import { ownMember, parseJson } from '../../bundle/json.ts'
import { digestOfFile, filesBelow } from '../../bundle/seal/digest.ts'
import { asEnvelope, isSignedBy, keyIdOf, payloadOf } from '../../bundle/seal/envelope.ts'
import { manifestFile, statementFile, testResultFile } from '../../bundle/names.ts'
import { statementIn } from '../../bundle/seal/read-statement.ts'
import { payloadType } from '../../bundle/seal/statement.ts'
import * as line from '../../bundle/verify/schema.ts'
import { lineEndsChanged } from '../../bundle/verify/manifest.ts'
import { openForVerification, type OpenedBundle } from '../../bundle/verify/opened-bundle.ts'
import { subjectsIn } from '../../bundle/verify/signature.ts'
import { pagesSayOther, testResultWords, writerOf } from '../../reports/conformance-statement/statement.ts'
import { visibleLine } from '../../reports/visible.ts'
import { printedJson, type CommandAnswer } from '../command.ts'
import type { VerifyOptions } from '../commands/options.ts'
import { exitCodes } from '../exit-codes.ts'
import { publicKeyAt } from '../seal/signer.ts'
import { UsageError } from '../usage-error.ts'
import { version } from '../version.ts'
import { inspections, type Asked } from './inspections.ts'

type InspectedPart = line.InspectionLine & { about: string }

export function verify(folder: string, { key, rejudge = false, format }: VerifyOptions): CommandAnswer {
  const signed = existsSync(join(folder, 'run.json')) ? undefined : signedIn(folder)
  if (rejudge && signed !== undefined)
    throw new UsageError(
      `${folder} is a statement: there is no journal to judge again; give the run bundle that it states, or leave out --rejudge.`,
    )
  const asked = { key: key === undefined ? null : publicKeyAt(key), rejudge }
  const parts =
    signed === undefined
      ? inspectedParts(openForVerification(folder), asked)
      : inspectStatement(folder, signed, asked.key)
  const exitCode = verifiedCode(parts)
  const about = { keyFile: key, rejudge: signed === undefined ? rejudge : null }
  const unchanged =
    signed === statementFile ? 'signed result verified; the page contains the same answers' : undefined
  const conclusion = conclusionOf(parts, { ...about, unchanged })
  const lines = parts.map(({ about, outcome, words, problems }) => ({
    about,
    outcome,
    words: visibleLine(words),
    problems: problems.map(visibleLine),
  }))
  const json = { schemaVersion: 1, holds: exitCode === exitCodes.ok, exitCode, conclusion, lines }
  return { exitCode, text: format === 'json' ? printedJson(json) : `${asText(lines)}\n${conclusion}\n` }
}

export function inspectedParts(bundle: OpenedBundle, asked: Asked): readonly InspectedPart[] {
  const parts = Object.entries(inspections).flatMap(([about, inspect]) => {
    try {
      const part = inspect(bundle, asked)
      return part === null ? [] : [{ about, ...part }]
    } catch (error) {
      // A part that cannot be checked does not keep the others from being checked.
      const why = error instanceof Error ? error.message : String(error)
      return [{ about, ...line.notVerified('cannot be checked', [why]) }]
    }
  })
  const cause = parts.find(({ words }) => words.endsWith(lineEndsChanged))
  return parts.map((part) =>
    cause === undefined || part === cause || part.outcome !== 'broken'
      ? part
      : { about: part.about, ...line.notChecked('not checked: line ends changed') },
  )
}

/** What `certify` wrote beside a page; without `--sign-key` that is the result of the run alone. */
function signedIn(folder: string): string | undefined {
  const has = (file: string): boolean => existsSync(join(folder, file))
  if (has(testResultFile)) return testResultFile
  return has(statementFile) && has('statement.html') ? statementFile : undefined
}

function inspectStatement(folder: string, file: string, key: KeyObject | null): readonly InspectedPart[] {
  const ofPage = file === testResultFile
  const reading = parseJson(plainOrRefused(join(folder, file)).toString('utf8'))
  const envelope = reading.ok ? asEnvelope(reading.value) : null
  if (envelope === null || envelope.payloadType !== payloadType)
    return [{ about: 'signature', ...line.notVerified(`${file} is no signed statement`) }]
  const payload = parseJson(Buffer.from(payloadOf(envelope)).toString('utf8'))
  const result = payload.ok ? payload.value : null
  // What was signed, so that it need not be taken from the page.
  const words = ofPage ? testResultWords(result) : statementWords(result)
  const signature =
    key === null
      ? (ofPage ? line.notChecked : line.incomplete)('not checked: give --key')
      : line.judged(
          isSignedBy(envelope, key) ? [] : [`it is not a signature by key id ${keyIdOf(key)}`],
          `signed by key id ${keyIdOf(key)}, verified with the given key`,
          'the signature is not valid for this statement',
        )
  const stated = words === null ? line.notVerified(`${file} is no result of a run`) : line.holds(words)
  return [
    { about: 'signature', ...signature },
    {
      about: 'files',
      ...(ofPage
        ? inspectFiles(folder, subjectsIn(result))
        : inspectPages(folder, words === null ? null : ownMember(result, 'predicate'))),
    },
    { about: 'result', ...stated },
  ]
}

/** The pages themselves are not signed. */
function inspectPages(folder: string, predicate: unknown): line.InspectionLine {
  if (predicate === null) return line.notChecked('not compared with the result')
  const files = ['statement.html', 'statement.md'].filter((file) => existsSync(join(folder, file)))
  const pages = files.map((file) => [file, plainOrRefused(join(folder, file)).toString('utf8')] as const)
  const own = pages.filter(([, page]) => (writerOf(page) ?? version()) === version())
  const other = pagesSayOther(predicate, Object.fromEntries(own))
  if (other.length === 0 && own.length < pages.length)
    return line.incomplete('page not compared (another version wrote it)')
  return line.judged(
    other.map((file) => `${file}: does not contain the same title and answers as the signed result`),
    'the page contains the same title and answers as the signed result; the rest of it is not signed',
    'the page does not say what was signed',
  )
}

function statementWords(payload: unknown): string | null {
  const stated = statementIn(payload)
  if (stated === null) return null
  const { conformance, target, contract, run } = stated
  return `${conformance}: ${target.name} ${target.version} (${target.baseUrl}), clause set ${contract.revision}, run of ${run.endedAt}`
}

/** Files of the run bundle, which the reader of a statement need not have. */
const ofBundle: readonly unknown[] = ['run.json', manifestFile]

function inspectFiles(folder: string, subjects: ReadonlyMap<unknown, unknown>): line.InspectionLine {
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
  return line.judged(
    problems,
    `${line.countOf(found.length, 'file')} as in the signed test result; the run bundle is not here`,
    'the files are not those that were signed',
  )
}

export function verifiedCode(parts: readonly InspectedPart[]): number {
  const outcomes = new Set(parts.map(({ outcome }) => outcome))
  if (outcomes.has('broken')) return exitCodes.nonconformant
  return outcomes.has('incomplete') ? exitCodes.lessExercised : exitCodes.ok
}

const signs: Readonly<Record<line.InspectionOutcome, string>> = {
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
  const lines = parts.flatMap(({ about, outcome, words, problems }) => [
    `${signs[outcome]} ${about.padEnd(width)}  ${words}`,
    ...problems.slice(0, most).map((problem) => `${indent}${problem}`),
    ...(problems.length > most ? [`${indent}and ${problems.length - most} more`] : []),
  ])
  return lines.map((one) => `${one}\n`).join('')
}

/**
 * What was established, such as `VERIFIED: signed by key id 1f… (release.pub.pem), nothing was changed; verdicts
 * recomputed: same`. `rejudge`: null where there is no journal to judge.
 */
export function conclusionOf(
  parts: readonly InspectedPart[],
  {
    keyFile,
    rejudge,
    unchanged = 'nothing was changed',
  }: { keyFile: string | undefined; rejudge: boolean | null; unchanged?: string | undefined },
): string {
  const broken = parts.filter(({ outcome }) => outcome === 'broken')
  const problems = broken.reduce((sum, part) => sum + Math.max(1, part.problems.length), 0)
  if (problems > 0) return `NOT VERIFIED: ${line.countOf(problems, 'problem')}`
  const unfinished = parts.filter(({ outcome }) => outcome === 'incomplete').map(({ about }) => about)
  if (unfinished.length > 0)
    return `VERIFIED IN PART: nothing was changed as far as it could be checked; see ${unfinished.join(', ')}`
  const { outcome, words = '' } = parts.find(({ about }) => about === 'signature') ?? {}
  const [, keyId = ''] = /key id (\w+)/.exec(words) ?? []
  const verdicts =
    rejudge === null ? '' : `; verdicts ${rejudge ? 'recomputed: same' : 'not recomputed (give --rejudge)'}`
  if (outcome === 'holds' && keyFile !== undefined)
    return `VERIFIED: signed by key id ${keyId} (${visibleLine(keyFile)}), ${unchanged}${verdicts}`
  const unchecked = words === 'unsigned' ? words : 'signature not checked (give --key)'
  return `CONSISTENT: ${unchecked}, so anyone could have written it${verdicts}`
}
