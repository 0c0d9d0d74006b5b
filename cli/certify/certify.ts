/** Verifies a run bundle and writes what is handed over of it: a page, a PDF, badges, and signed results for tools. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from '../../reports/bundle/record.ts'
import { digestOfFile } from '../../reports/bundle/seal/digest.ts'
import { envelopeOf, keyIdOf } from '../../reports/bundle/seal/envelope.ts'
import { manifestFile, statementFile } from '../../reports/bundle/seal/names.ts'
import { payloadType } from '../../reports/bundle/seal/statement.ts'
import { openForVerification } from '../../reports/bundle/verify/opened-bundle.ts'
import {
  badgeFiles,
  certificationRefusal,
  statementPage,
  testResultOf,
  statementTitle,
} from '../../reports/conformance-statement/index.ts'
import { visibleLine } from '../../reports/visible.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { readBundle } from '../rejudge/read-bundle.ts'
import { publicKeyAt, signerFrom, type Signer } from '../seal/signer.ts'
import { UsageError } from '../usage-error.ts'
import { conclusionOf } from '../verify/conclusion.ts'
import { inspectedParts, verifiedCode } from '../verify/verify.ts'
import { packageName, version } from '../version.ts'
import { folderFor } from './place.ts'
import { printPdf } from './print-pdf.ts'
import { timestampOf } from './timestamp.ts'

export interface CertifyOptions {
  key: string
  out: string
  signKey?: string
  timestamp?: string
  allowPartial?: true
  browser?: string
  pdf: boolean
  json?: true
}

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
  const folder = folderFor(options.out, path)
  folder.write(contentsOf(path, run, keyIdOf(key), signer))
  if (options.timestamp !== undefined) {
    const stamp = await timestampOf(readFileSync(join(path, statementFile)), options.timestamp)
    folder.write(new Map([['statement.tsr', stamp]]))
  }
  const pdf = options.pdf ? await printPdf(folder.path, options.browser, io.env) : { why: '--no-pdf' }
  report(run, folder.files(), pdf.why, options, io)
  return exitCodes.ok
}

function contentsOf(
  path: string,
  run: Run,
  keyid: string,
  signer: Signer | null,
): ReadonlyMap<string, string | Uint8Array> {
  const manifest = digestOfFile(join(path, manifestFile)).sha256
  const bundle = { manifest, keyid, package: `${packageName()}@${version()}` }
  return new Map<string, string | Uint8Array>([
    ['statement.html', statementPage(run, bundle)],
    [statementFile, readFileSync(join(path, statementFile))],
    ...badgeFiles(run),
    ...(signer ? [['test-result.dsse.json', testResult(path, run, manifest, signer)] as const] : []),
  ])
}

function testResult(path: string, { record }: Run, manifest: string, signer: Signer): string {
  const subjects = { record: digestOfFile(join(path, 'run.json')).sha256, manifest }
  const payload = Buffer.from(JSON.stringify(testResultOf(record, subjects)))
  return `${JSON.stringify(envelopeOf(payloadType, payload, signer), null, 2)}\n`
}

function report(
  run: Run,
  files: readonly string[],
  noPdf: string | null,
  { json, out }: CertifyOptions,
  { out: print, err }: Io,
): void {
  const { conformance, gate } = run.record
  const title = visibleLine(statementTitle(run))
  if (json) {
    print(
      `${JSON.stringify({ schemaVersion: 1, title, conformance, gate: gate.passed, files, noPdf }, null, 2)}\n`,
    )
    return
  }
  print(`${title}: ${conformance}, gate ${gate.passed ? 'passed' : 'failed'}\n`)
  const areas = files.filter((file) => file.startsWith('badges/') && file.endsWith('.svg')).length
  for (const file of files.filter((one) => !one.startsWith('badges/'))) print(`  ${join(out, file)}\n`)
  print(`  ${join(out, 'badges')}/ (${areas} areas)\n`)
  if (noPdf !== null && noPdf !== '--no-pdf') err(`no PDF: ${noPdf}\n`)
}
