/** Verifies a run bundle and writes what is handed over of it: a page, a PDF, badges, and signed results for tools. */
import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from '../../reports/bundle/record.ts'
import { digestOfFile } from '../../reports/bundle/seal/digest.ts'
import { envelopeOf, keyIdOf } from '../../reports/bundle/seal/envelope.ts'
import { manifestFile, statementFile, testResultFile } from '../../reports/bundle/seal/names.ts'
import { inTotoSubjects, payloadType } from '../../reports/bundle/seal/statement.ts'
import { openForVerification } from '../../reports/bundle/verify/opened-bundle.ts'
import {
  badgeFiles,
  certificationRefusal,
  statementPage,
  testResultOf,
  statementTitle,
  historyData,
  type StatedHistory,
  type VerifiedBundle,
} from '../../reports/conformance-statement/index.ts'
import { counted } from '../../reports/html/elements/words.ts'
import { visibleLine } from '../../reports/visible.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { printedJson } from '../lists/print.ts'
import { readBundle } from '../rejudge/read-bundle.ts'
import { problemLines } from '../run-log/opened.ts'
import { publicKeyAt, signerFrom, type Signer } from '../seal/signer.ts'
import { UsageError } from '../usage-error.ts'
import { conclusionOf } from '../verify/conclusion.ts'
import { judgedAgain, type PlanFile } from '../verify/plan.ts'
import { inspectedParts, verifiedCode } from '../verify/verify.ts'
import { packageName, version } from '../version.ts'
import { loggedHistory } from './logged-history.ts'
import { folderFor, type OutputFolder } from './output-folder.ts'
import { printPdf } from './print-pdf.ts'
import { timestampOf } from './timestamp.ts'

export interface CertifyOptions {
  key: string
  out: string
  signKey?: string
  log?: string
  logKey?: readonly string[]
  timestamp?: string
  allowPartial?: true
  browser?: string
  pdf: boolean
  json?: true
}

const ours =
  /^(?:statement\.(?:html|pdf|tsr|dsse\.json)|test-result\.dsse\.json|badge(?:s\/[a-z-]+)?\.(?:json|svg))$/

/** Returns the exit code. Throws a UsageError for what cannot be stated, and a BundleError for what is no run. */
export async function certify(path: string, options: CertifyOptions, io: Io): Promise<number> {
  const key = publicKeyAt(options.key)
  const signer = signerFrom(options.signKey, io.env)
  const parts = [...inspectedParts(openForVerification(path), { key, rejudge: true })]
  const exitCode = verifiedCode(parts)
  if (exitCode !== exitCodes.ok) {
    const conclusion = conclusionOf(parts, { keyFile: options.key, rejudge: true })
    io.err(
      `${conclusion}\nNothing was written: \`touchstone verify ${path} --key ${options.key}\` says more.\n`,
    )
    return exitCode
  }
  const { run } = readBundle(path)
  const refusal = certificationRefusal(run.record, { allowPartial: options.allowPartial === true })
  if (refusal !== null) throw new UsageError(`${path} cannot be certified: ${refusal}`)
  const manifest = digestOfFile(join(path, manifestFile)).sha256
  const history = historyFrom(options, key, run, manifest)
  if (history !== null && 'problems' in history) return notWritten(history.problems, options, io)
  const folder = folderFor(options.out, path, ours)
  const verified = {
    manifest,
    keyid: keyIdOf(key),
    history,
    judgedAgain: judgedAgainIn(path, run),
    signed: signer !== null,
  }
  folder.write(contentsOf(path, run, verified))
  if (options.timestamp !== undefined) {
    const stamp = await timestampOf(readFileSync(join(path, statementFile)), options.timestamp)
    folder.write(new Map([['statement.tsr', stamp]]))
  }
  const pdf = options.pdf ? await printPdf(folder.path, options.browser, io.env) : { why: '--no-pdf' }
  // Last: it has the digest of every other file.
  if (signer !== null) folder.write([[testResultFile, testResult(path, run, verified, folder, signer)]])
  report(run, { files: folder.files(), noPdf: pdf.why, history }, options, io)
  return exitCodes.ok
}

/** Null without a log. */
function historyFrom(
  { log, logKey = [] }: CertifyOptions,
  key: KeyObject,
  { record }: Run,
  manifest: string,
) {
  return log === undefined ? null : loggedHistory(log, [key, ...logKey.map(publicKeyAt)], record, manifest)
}

/** The plan was verified: it is what was written before the first request. */
function judgedAgainIn(path: string, { record }: Run): string | null {
  return judgedAgain(JSON.parse(readFileSync(join(path, 'plan.json'), 'utf8')) as PlanFile, record)
}

function notWritten(problems: readonly string[], { log = '' }: CertifyOptions, { err }: Io): number {
  for (const line of problemLines(problems)) err(`${line}\n`)
  err(`NOT VERIFIED: the log ${visibleLine(log)}\nNothing was written.\n`)
  return exitCodes.nonconformant
}

function contentsOf(
  path: string,
  run: Run,
  verified: Omit<VerifiedBundle, 'package'>,
): ReadonlyMap<string, string | Uint8Array> {
  const bundle = { ...verified, package: `${packageName()}@${version()}` }
  return new Map<string, string | Uint8Array>([
    ['statement.html', statementPage(run, bundle)],
    [statementFile, readFileSync(join(path, statementFile))],
    ...badgeFiles(run),
  ])
}

function testResult(
  path: string,
  run: Run,
  verified: Omit<VerifiedBundle, 'package'>,
  folder: OutputFolder,
  signer: Signer,
): string {
  const files = folder
    .files()
    .map((file) => ({ name: file, digest: { sha256: digestOfFile(join(folder.path, file)).sha256 } }))
  const subjects = { record: digestOfFile(join(path, 'run.json')).sha256, manifest: verified.manifest }
  const payload = Buffer.from(
    JSON.stringify(testResultOf(run, [...inTotoSubjects(subjects), ...files], verified)),
  )
  return `${JSON.stringify(envelopeOf(payloadType, payload, signer), null, 2)}\n`
}

interface Written {
  files: readonly string[]
  noPdf: string | null
  history: StatedHistory | null
}

function report(
  run: Run,
  { files, noPdf, history }: Written,
  { json, out }: CertifyOptions,
  { out: print, err }: Io,
): void {
  const { conformance, gate } = run.record
  const title = visibleLine(statementTitle(run))
  const runs = history === null ? null : historyData(history)
  if (json) {
    const passed = gate.passed
    print(printedJson({ schemaVersion: 1, title, conformance, gate: passed, runs, files, noPdf }))
    return
  }
  print(`${title}: ${conformance}, gate ${gate.passed ? 'passed' : 'failed'}\n`)
  if (runs !== null) {
    const later = runs.later === 0 ? '' : ` (${runs.later} later)`
    print(`${counted(runs.runs, 'run')} in the log, ${runs.discarded} of them discarded${later}\n`)
  }
  const areas = files.filter((file) => file.startsWith('badges/') && file.endsWith('.svg')).length
  for (const file of files.filter((one) => !one.startsWith('badges/'))) print(`  ${join(out, file)}\n`)
  print(`  ${join(out, 'badges')}/ (${areas} areas)\n`)
  if (noPdf !== null && noPdf !== '--no-pdf') err(`no PDF: ${noPdf}\n`)
}
