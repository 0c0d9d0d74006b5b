/** Judges what a check recorded, with the judges of this version, and says what came out otherwise. */
import { renderText } from '../../reports/index.ts'
import { scenariosFor } from '../../suites/scenarios.ts'
import { rejudge } from '../../suites/engine/rejudge.ts'
import type { RunRecord } from '../../suites/record.ts'
import { bundleFiles, bundleOf, readBundle, writeBundle } from '../bundle/bundle.ts'
import type { Basis } from '../bundle/bundle.ts'
import { openFolder } from '../bundle/folder.ts'
import type { Io } from '../io.ts'
import type { RejudgeOptions } from './command.ts'

/** Gives the exit code of the run as it is judged now. Throws UsageError and ConfigurationError. */
export async function rejudgeFolder(path: string, { out, target }: RejudgeOptions, io: Io): Promise<number> {
  const { run, basis } = readBundle(path)
  const used = target === undefined ? basis : await basisIn(target, io)
  const again = { record: rejudge(run, scenariosFor(run.record), used), journal: run.journal }
  if (out !== undefined) writeBundle(bundleOf(again, used), openFolder(out, bundleFiles))
  for (const line of changes(run.record, again.record)) io.err(`${line}\n`)
  io.out(renderText(again, { colour: io.colour, width: io.width, folder: out ?? path }))
  return again.record.exitCode
}

async function basisIn(path: string, { env }: Io): Promise<Basis> {
  const { loadTarget } = await import('../../suites/target/file.ts')
  return loadTarget(path, env)
}

function changes(before: RunRecord, after: RunRecord): readonly string[] {
  const verdicts = new Map(before.findings.map(({ check, verdict }) => [check, verdict]))
  return after.findings
    .filter(({ check, verdict }) => verdicts.get(check) !== verdict)
    .map(({ check, verdict }) => `${check}: was ${verdicts.get(check) ?? 'not there'}, is ${verdict}`)
}
