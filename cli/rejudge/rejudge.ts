/** Judges what a run recorded, with the judges of this version, and says what came out otherwise. */
import { existsSync, realpathSync } from 'node:fs'
import { copyRecorded } from '../../reports/bundle/folder/copy.ts'
import { openFolder } from '../../reports/bundle/folder/folder.ts'
import { plainBasis } from '../../reports/bundle/judging.ts'
import { basisFile, recordFile } from '../../reports/bundle/names.ts'
import type { Run } from '../../reports/bundle/record.ts'
import { redactorOf } from '../../reports/bundle/redaction/run-redactor.ts'
import { writing } from '../../reports/bundle/write-run.ts'
import { renderText, reportFiles } from '../../reports/index.ts'
import { writeReports, type Defect } from '../../reports/write-reports.ts'
import { contractIdentifiers } from '../../spec/identifiers.ts'
import { rejudge } from '../../suites/runner/outcome/rejudge.ts'
import { toolOf } from '../../suites/runner/plan/opening.ts'
import { withheld } from '../../suites/scenario/withheld.ts'
import { scenariosFor } from '../../suites/scenarios.ts'
import { reported } from '../check/failed-run.ts'
import { clauseSetsNamed } from '../clause-sets/named.ts'
import type { ClauseSetOptions } from '../clause-sets/option.ts'
import type { Io } from '../io.ts'
import { hasPage } from '../out-file.ts'
import { reportDefects } from '../report-defects.ts'
import { UsageError } from '../usage-error.ts'
import { version } from '../version.ts'
import { differences } from './differences.ts'
import { readBundle, type JudgeBasis } from './read-bundle.ts'

export interface RejudgeOptions extends ClauseSetOptions {
  out?: string
  target?: string
}

/** Gives the exit code of the run as it is judged now. Throws UsageError and ConfigurationError. */
export async function rejudgeFolder(path: string, options: RejudgeOptions, io: Io): Promise<number> {
  const { out, target, clauseSet = [] } = options
  const sets = clauseSetsNamed(clauseSet)
  const { run, basis, ends } = readBundle(path)
  const used = target === undefined ? basis : await basisIn(target, io)
  const scenarios = scenariosFor(run.record)
  const kept: string[] = []
  // Nobody has signed what is said now.
  const { signing: _, ...judged } = rejudge(
    run,
    scenarios,
    { ...used, ...sets },
    {
      onKept: (check) => void kept.push(check),
    },
  )
  const record = { ...judged, tool: toolOf(version(), scenarios) }
  const again = { record, journal: run.journal }
  const defects = out === undefined ? [] : writeAgain(again, used, { from: path, to: out, ends }, io)
  if (ends !== null) io.err(`${path}: ${ends}\n`)
  if (kept.length > 0)
    io.err(`kept ${kept.length === 1 ? '1 verdict' : `${kept.length} verdicts`}: ${withheld}.\n`)
  for (const line of differences({ record: run.record, basis }, { record, basis: used })) io.err(`${line}\n`)
  const beside = { files: new Set<string>(), ...(ends === null ? {} : { ends }) }
  const folder = out ?? path
  const { colour, width } = io
  io.out(renderText(again, { colour, width, folder, beside, hasPage: hasPage(folder) }))
  return reportDefects(defects, folder, io, record.exitCode)
}

interface Again {
  from: string
  to: string
  /** Where the run ends that was cut off. */
  ends: string | null
}

/** The journal stays as it was written; what is made from it is made anew. */
function writeAgain(run: Run, basis: JudgeBasis, { from, to, ends }: Again, io: Io): readonly Defect[] {
  if (existsSync(to) && realpathSync(to) === realpathSync(from))
    throw new UsageError(`--out ${to}: that is the folder of the run itself; name another one.`)
  const folder = openFolder(to, reportFiles)
  try {
    writing(folder, () => {
      folder.write(basisFile, `${JSON.stringify(plainBasis(basis), null, 2)}\n`)
      copyRecorded(from, folder)
      folder.write(recordFile, `${JSON.stringify(run.record, null, 2)}\n`)
    })
    // As readers of the new folder see it: the incomplete last line is not copied.
    const endsThere = ends === null ? null : readBundle(folder.path).ends
    const { defects } = writeReports(run, { folder, redactor: redactorOf([]), signer: null, ends: endsThere })
    folder.publish()
    return defects
  } catch (error) {
    throw reported(error, folder, io)
  } finally {
    folder.release()
  }
}

async function basisIn(path: string, { env }: Io): Promise<JudgeBasis> {
  const { loadTarget } = await import('../../suites/config/file/file.ts')
  const target = loadTarget(path, env)
  return { ...target, identifiers: target.identifiers ?? contractIdentifiers }
}
