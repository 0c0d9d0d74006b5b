/** Verifies a run bundle and writes what is handed over of it: a page, and the signed results for tools. */
import { quoteText } from '../../bundle/curl.ts'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { basisFile, manifestFile, planFile, statementFile, testResultFile } from '../../bundle/names.ts'
import type { PlanFile } from '../../bundle/record.ts'
import { digestOfFile, sha256, filesBelow } from '../../bundle/seal/digest.ts'
import { envelopeOf, keyIdOf } from '../../bundle/seal/envelope.ts'
import { writeWhole } from '../../bundle/seal/manifest.ts'
import { inTotoSubjects, payloadType } from '../../bundle/seal/statement.ts'
import { openForVerification } from '../../bundle/verify/opened-bundle.ts'
import {
  certificationRefusal,
  statementMarkdown,
  statementPage,
  statementTitle,
  testResultOf,
} from '../../reports/conformance-statement/statement.ts'
import { visibleLine } from '../../reports/visible.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import type { CommandAnswer } from '../command.ts'
import type { CertifyOptions } from '../commands/options.ts'
import { publicKeyAt, signerFrom } from '../seal/signer.ts'
import { UsageError } from '../usage-error.ts'
import { systemReason } from '../values.ts'
import { conclusionOf, inspectedParts, verifiedCode } from '../verify/verify.ts'
import { judgedAgain } from '../verify/plan.ts'
import { verifiedRun } from '../verify/reports.ts'
import { version } from '../version.ts'

const files = ['statement.html', 'statement.md', statementFile, testResultFile]

export function certify(path: string, options: CertifyOptions, io: Io): CommandAnswer {
  const key = publicKeyAt(options.key)
  const signer = signerFrom(options.signKey, io.env)
  const bundle = openForVerification(path)
  // Before anything is verified: what is no run for a statement need not be signed or whole.
  const refusal =
    bundle.record && certificationRefusal(bundle.record, { allowPartial: options.allowPartial === true })
  if (refusal !== null) throw new UsageError(`${path} cannot be certified: ${refusal}`)
  const parts = [...inspectedParts(bundle, { key, rejudge: true })]
  const exitCode = verifiedCode(parts)
  if (exitCode !== exitCodes.ok) {
    const conclusion = conclusionOf(parts, { keyFile: options.key, rejudge: true })
    io.err(
      `${conclusion}\nNothing was written: \`touchstone verify ${quoteText(path)} --key ${quoteText(options.key)}\` says more.\n`,
    )
    return { exitCode }
  }
  const { run } = verifiedRun(bundle)
  const digests = {
    record: digestOfFile(join(path, 'run.json')).sha256,
    manifest: digestOfFile(join(path, manifestFile)).sha256,
  }
  // The plan was verified: it is what was written before the first request.
  const planned = JSON.parse(readFileSync(join(path, planFile), 'utf8')) as PlanFile
  const again = judgedAgain(planned, run.record, digestOfFile(join(path, basisFile)).sha256)
  const verified = {
    manifest: digests.manifest,
    keyid: keyIdOf(key),
    judgedAgain: again,
    signed: signer !== null,
    version: version(),
  }
  const contents = new Map<string, string | Uint8Array>([
    ['statement.html', statementPage(run, verified)],
    ['statement.md', statementMarkdown(run, verified)],
    [statementFile, readFileSync(join(path, statementFile))],
  ])
  if (signer !== null) {
    const subjects = [...contents].map(([name, content]) => ({ name, digest: { sha256: sha256(content) } }))
    const result = testResultOf(run, [...inTotoSubjects(digests), ...subjects], again)
    const envelope = envelopeOf(payloadType, Buffer.from(JSON.stringify(result)), signer)
    contents.set(testResultFile, `${JSON.stringify(envelope, null, 2)}\n`)
  }
  writeTo(options.out, path, contents)
  const { conformance, gate } = run.record
  const title = visibleLine(statementTitle(run))
  const written = [...contents.keys()]
  return {
    json: { schemaVersion: 1, title, conformance, gate: gate.passed, files: written },
    text: [
      `${title}: ${conformance}, gate ${gate.passed ? 'passed' : 'failed'}\n`,
      ...written.map((file) => `  ${join(options.out, file)}\n`),
    ].join(''),
  }
}

/**
 * Fills a folder that is new, empty, or was filled by this command before. Throws a UsageError for a folder within the
 * bundle, which is sealed, and for one that has other files.
 */
function writeTo(out: string, sealed: string, contents: ReadonlyMap<string, string | Uint8Array>): void {
  const path = resolve(out)
  if (`${path}${sep}`.startsWith(`${resolve(sealed)}${sep}`))
    throw new UsageError(`--out ${out}: this is in ${sealed}, which is sealed; name another folder.`)
  try {
    mkdirSync(path, { recursive: true })
    const other = filesBelow(path).find((file) => !file.plain || !files.includes(file.path))
    if (other !== undefined)
      throw new UsageError(`--out ${out}: it has other files, such as ${other.path}; name a new folder.`)
    for (const file of files) rmSync(join(path, file), { force: true })
    for (const [file, content] of contents) writeWhole(join(path, file), content)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`--out ${out}: cannot be written (${systemReason(error)}); name another folder.`)
  }
}
