/** Judges what a run recorded, with the judges of this version, and says what came out otherwise. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { renderText, reportFiles } from '../../reports/index.ts'
import { contractIdentifiers } from '../../spec/identifiers.ts'
import { toolOf } from '../../suites/runner/plan/opening.ts'
import { rejudge } from '../../suites/runner/outcome/rejudge.ts'
import { type Run, type Finding, type RunRecord, plainBasis, type Basis } from '../../bundle/record.ts'
import { scenariosFor } from '../../suites/scenarios.ts'
import { readBundle, type JudgeBasis } from './read-bundle.ts'
import { openFolder } from '../../bundle/folder/folder.ts'
import { evidenceFolder, isDigest } from '../../bundle/journal/evidence.ts'
import { eachLine } from '../../bundle/journal/lines.ts'
import { pretty } from '../../bundle/text.ts'
import { writing } from '../../bundle/write-run.ts'
import { findClauseSet } from '../../suites/policy/clause-set-file.ts'
import { reported, reportDefects } from '../check/judged-run.ts'
import type { CommandAnswer } from '../command.ts'
import type { VerifyOptions } from '../commands/options.ts'
import { hasPage, mustNotReplace } from '../out-file.ts'
import { type Defect, writeReports } from '../../reports/write-reports.ts'
import { basisFile, journalFile, planFile, recordFile } from '../../bundle/names.ts'
import type { Io } from '../io.ts'
import { version } from '../version.ts'
import { identifiersIn } from '../../suites/wire/exchange.ts'

export async function rejudgeFolder(
  path: string,
  options: Pick<VerifyOptions, 'out' | 'target' | 'clauseSet'>,
  io: Io,
): Promise<CommandAnswer> {
  const { out, target, clauseSet } = options
  const contract = clauseSet === undefined ? undefined : findClauseSet(clauseSet)
  const { run, basis, ends } = readBundle(path)
  const { loadBasis } = await import('../../suites/config/file/file.ts')
  const own = target === undefined ? null : loadBasis(target, io.env)
  const used = own ? { ...own, identifiers: own.identifiers ?? contractIdentifiers } : basis
  const scenarios = scenariosFor(run.record)
  // The new verdicts are not signed.
  const { signing: _, ...judged } = rejudge(run, scenarios, { ...used, ...(contract && { contract }) })
  const record = { ...judged, tool: toolOf(version(), scenarios) }
  const again = { record, journal: run.journal }
  const defects = out === undefined ? [] : writeAgain(again, used, { from: path, to: out, ends }, io)
  if (ends !== null) io.err(`${path}: ${ends}\n`)
  const other = differences({ record: run.record, basis }, { record, basis: used })
  for (const line of other) io.err(`${line}\n`)
  if (other.length === 0) io.err('Judged again: verdicts and results are those that were recorded.\n')
  const beside = { files: new Set<string>(), ends: ends ?? undefined }
  const folder = out ?? path
  const { colour, width } = io
  return {
    text: renderText(again, { colour, width, folder, beside, hasPage: hasPage(folder) }),
    exitCode: reportDefects(defects, folder, io, record.exitCode),
  }
}

/** The journal stays as it was written; what is made from it is made anew. `ends`: where a run ends that was cut off. */
function writeAgain(
  run: Run,
  basis: JudgeBasis,
  { from, to, ends }: { from: string; to: string; ends: string | null },
  io: Io,
): readonly Defect[] {
  mustNotReplace(to, [from])
  const folder = openFolder(to, reportFiles)
  try {
    writing(folder, () => {
      folder.write(basisFile, pretty(plainBasis(basis)))
      // As it was written, so that its chain still holds; a line that was cut off stays behind. `from` was read before.
      folder.copy(planFile, join(from, planFile))
      const [journal, bodies] = [join(from, journalFile), join(from, evidenceFolder)]
      if (existsSync(journal))
        folder.copy(journalFile, journal, statSync(journal).size - eachLine(journal, () => {}))
      else folder.write(journalFile, '')
      for (const name of existsSync(bodies) ? readdirSync(bodies).filter(isDigest) : [])
        folder.copy(`${evidenceFolder}/${name}`, join(bodies, name))
      folder.write(recordFile, pretty(run.record))
    })
    // As readers of the new folder see it: the incomplete last line is not copied.
    const endsThere = ends === null ? null : readBundle(folder.path).ends
    const { defects } = writeReports(run, { folder, secrets: [], signer: null, ends: endsThere })
    folder.publish()
    return defects
  } catch (error) {
    throw reported(error, folder, io)
  } finally {
    folder.release()
  }
}

export interface JudgedRun {
  record: RunRecord
  basis: Basis
}

/** What came out otherwise, and why: a sentence for each. Empty where verdicts and answers are what they were. */
export function differences(before: JudgedRun, after: JudgedRun): readonly string[] {
  const [was, is] = [before.record, after.record]
  const known = new Map(was.findings.map((finding) => [finding.check, finding]))
  const causes = causesOf(before, after)
  const changed = is.findings.flatMap((finding) => {
    const { check, verdict, level } = finding
    const old = known.get(check)
    if (old?.verdict === verdict) return []
    const raised = `clause set ${is.contract.revision} has its clause as a ${level.toUpperCase()}`
    const all = old === undefined || old.level === level ? causes : [raised, ...causes]
    const because = all.length > 0 ? all.join(', and ') : unexplained
    return [`${check}: ${old?.verdict ?? 'no verdict'} → ${verdict}, because ${because}; ${said(finding)}.`]
  })
  const why = [
    same(before.basis.policy, after.basis.policy) ? '' : 'the policy is another',
    was.contract.digest === is.contract.digest ? '' : 'the clause set is another',
  ].filter((cause) => cause !== '')
  const because = why.join(', and ') || 'of what is said above'
  const gate = is.gate.passed ? 'the gate passes now' : (is.gate.because[0] ?? 'the gate fails now')
  return [
    ...changed,
    ...(was.conformance === is.conformance
      ? []
      : [`conformance: ${was.conformance} → ${is.conformance}, because ${because}.`]),
    ...(was.exitCode === is.exitCode
      ? []
      : [`gate: exit code ${was.exitCode} → ${is.exitCode}, because ${because}: ${gate}.`]),
  ]
}

const unexplained =
  'the judges of this version say otherwise although it has the same number, or the record was changed since'

/** What judges now, and is not what judged then. */
function causesOf(before: JudgedRun, after: JudgedRun): readonly string[] {
  const [was, is] = [before.record.tool, after.record.tool]
  const vendors = [identifiersIn(before.basis), identifiersIn(after.basis)]
  return [
    was.version === is.version ? '' : `version ${was.version} judged it then and ${is.version} now`,
    was.suite === is.suite ? '' : 'the suite has other checks than it had then',
    same(before.basis.dialect, after.basis.dialect) ? '' : 'the dialect of the target is another',
    same(vendors[0], vendors[1]) ? '' : 'the vendor of the target is another',
  ].filter((cause) => cause !== '')
}

function said({ verdict, expected, got, reason, detail }: Finding): string {
  const words = [reason, detail].filter((part) => part !== undefined && part !== '').join(': ')
  const why = expected === undefined ? words : `expected ${expected}, got ${got ?? 'nothing'}`
  return `the judge says now: ${verdict}${why === '' ? '' : ` (${why.replaceAll(/\s+/g, ' ').slice(0, 300)})`}`
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
