/** Verifies a run bundle and writes what is handed over of it: a page, a PDF, badges, and signed results for tools. */
import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { basisFile, planFile } from '../../reports/bundle/names.ts'
import type { PlanFile, Run } from '../../reports/bundle/record.ts'
import { digestOfFile } from '../../reports/bundle/seal/digest.ts'
import { keyIdOf } from '../../reports/bundle/seal/envelope.ts'
import { manifestFile, statementFile } from '../../reports/bundle/seal/names.ts'
import { openForVerification } from '../../reports/bundle/verify/opened-bundle.ts'
import {
  badgeFiles,
  certificationRefusal,
  statementPage,
  type VerifiedBundle,
} from '../../reports/conformance-statement/index.ts'
import { visibleLine } from '../../reports/visible.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { problemLines } from '../run-log/opened.ts'
import { publicKeyAt, signerFrom } from '../seal/signer.ts'
import { UsageError } from '../usage-error.ts'
import { conclusionOf } from '../verify/conclusion.ts'
import { verifiedRun } from '../verify/reports.ts'
import { judgedAgain } from '../verify/plan.ts'
import { inspectedParts, verifiedCode } from '../verify/verify.ts'
import { packageName, version } from '../version.ts'
import { loggedHistory } from './logged-history.ts'
import { folderFor } from './output-folder.ts'
import { printPdf } from './print-pdf.ts'
import { printCertified } from './print.ts'
import { sigstoreSigner, type SignWithSigstore } from './sigstore.ts'
import { writeTestResults } from './test-result-files.ts'
import { timestampOf } from './timestamp.ts'

export interface CertifyOptions {
  key: string
  out: string
  signKey?: string
  log?: string
  logKey?: readonly string[]
  timestamp?: string
  sigstore?: true
  fulcio?: string
  rekor?: string
  allowPartial?: true
  browser?: string
  pdf: boolean
  json?: true
}

const ours =
  /^(?:statement\.(?:html|pdf|tsr|dsse\.json)|test-result\.(?:dsse|sigstore)\.json|badge(?:s\/[a-z-]+)?\.(?:json|svg))$/

/** Returns the exit code. Throws a UsageError for what cannot be stated, and a BundleError for what is no run. */
export async function certify(path: string, options: CertifyOptions, io: Io): Promise<number> {
  const key = publicKeyAt(options.key)
  const signer = signerFrom(options.signKey, io.env)
  const sigstore = await sigstoreFor(options)
  const bundle = openForVerification(path)
  const parts = [...inspectedParts(bundle, { key, rejudge: true })]
  const exitCode = verifiedCode(parts)
  if (exitCode !== exitCodes.ok) {
    const conclusion = conclusionOf(parts, { keyFile: options.key, rejudge: true })
    io.err(
      `${conclusion}\nNothing was written: \`touchstone verify ${path} --key ${options.key}\` says more.\n`,
    )
    return exitCode
  }
  const { run } = verifiedRun(bundle)
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
    signed: { key: signer !== null, sigstore: sigstore !== null },
  }
  folder.write(contentsOf(path, run, verified))
  if (options.timestamp !== undefined) {
    const stamp = await timestampOf(readFileSync(join(path, statementFile)), options.timestamp)
    folder.write(new Map([['statement.tsr', stamp]]))
  }
  const pdf = options.pdf ? await printPdf(folder.path, options.browser, io.env) : { why: '--no-pdf' }
  const record = digestOfFile(join(path, 'run.json')).sha256
  await writeTestResults(folder, { key: signer, sigstore }, run, { ...verified, record })
  printCertified(run, { files: folder.files(), noPdf: pdf.why, history }, options, io)
  return exitCodes.ok
}

/** Null without `--sigstore`. Throws a UsageError for an address that would not be used. */
async function sigstoreFor(options: CertifyOptions): Promise<SignWithSigstore | null> {
  if (options.sigstore) return sigstoreSigner(options)
  if ((options.fulcio ?? options.rekor) === undefined) return null
  throw new UsageError('--fulcio and --rekor are services of Sigstore; give --sigstore, too.')
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
  const planned = JSON.parse(readFileSync(join(path, planFile), 'utf8')) as PlanFile
  return judgedAgain(planned, record, digestOfFile(join(path, basisFile)).sha256)
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
