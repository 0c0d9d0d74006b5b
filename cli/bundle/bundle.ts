/** What a run leaves on disk. Secrets are taken out here, before anything is rendered or written. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exporters } from '../../reports/index.ts'
import type { Run, RunRecord } from '../../suites/record.ts'
import { secretsOf } from '../../suites/target/secret-values.ts'
import type { Target } from '../../suites/target/target.ts'
import { readJournal, writeJournal } from '../../suites/wire/journal.ts'
import { parseJson } from '../../suites/wire/json.ts'
import { redactor } from '../../suites/wire/redaction.ts'
import type { Redactor, Secret } from '../../suites/wire/redaction.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import type { Folder } from './folder.ts'
import { ledgerFile } from './ledger.ts'
import { shapes } from './record-shape.ts'

export { secretsOf }

const planFile = 'plan.json'
const journalFile = 'journal.ndjson'
export const basisFile = 'judging.json'

/** Every file that a run may leave. */
export const bundleFiles: readonly string[] = [
  ledgerFile,
  planFile,
  journalFile,
  basisFile,
  ...exporters.map(({ file }) => file),
]

/** What the judges were told of the target, and by which policy the gate was decided. */
export type Basis = Pick<Target, 'dialect' | 'policy'>

export function writePlan(plan: RunRecord['plan'], folder: Folder): void {
  folder.write(planFile, `${JSON.stringify(plan, null, 2)}\n`)
}

/** File contents by name. */
export type Bundle = ReadonlyMap<string, string | Uint8Array>

/** All files of a run but its counterexamples, which the reports point to. `run` must be without secrets. */
export function bundleOf(run: Run, { dialect, policy }: Basis, counterexamples: Bundle = new Map()): Bundle {
  const beside = { files: new Set(counterexamples.keys()) }
  return new Map<string, string | Uint8Array>([
    [journalFile, writeJournal(run.journal)],
    [basisFile, `${JSON.stringify({ dialect, policy }, null, 2)}\n`],
    ...exporters.map(({ file, render }) => [file, render(run, beside)] as const),
  ])
}

export function writeBundle(bundle: Bundle, folder: Folder): void {
  for (const [file, content] of bundle) folder.write(file, content)
}

/** Reads back what a run left. Throws a UsageError that names the file that cannot be read. */
export function readBundle(path: string): { run: Run; basis: Basis } {
  const read = <T>(file: string, parse: (text: string) => T): T => {
    try {
      return parse(readFileSync(join(path, file), 'utf8'))
    } catch (error) {
      throw new UsageError(
        `${join(path, file)} cannot be read (${oneLine(codeOf(error))}): name the folder of a finished run.`,
      )
    }
  }
  const shaped = (file: string, fit: (value: unknown) => string | null): unknown => {
    const value = read(file, parsed)
    const told = fit(value)
    if (told === null) return value
    throw new UsageError(
      `${join(path, file)} is not of a run: ${oneLine(told)}. Name the folder of a finished run.`,
    )
  }
  const record = shaped('run.json', shapes.record) as RunRecord
  return {
    run: { record, journal: read(journalFile, readJournal) },
    basis: shaped(basisFile, shapes.basis) as Basis,
  }
}

function parsed(text: string): unknown {
  const reading = parseJson(text)
  if (!reading.ok) throw new SyntaxError(reading.why)
  return reading.value
}

/** Words that quote a file may carry whatever stands in it. */
function oneLine(words: string): string {
  return words.slice(0, 200).replaceAll(/[^\x20-\x7e]+/g, ' ')
}

/** The run with a token in place of every secret of its target, wherever one turned up. */
export function withoutSecrets(run: Run, target: Target): Run {
  return redacted(run, secretsOf(target))
}

/** The run with a token in place of each of these, wherever it turned up. */
export function redacted(run: Run, secrets: readonly Secret[]): Run {
  if (secrets.length === 0) return run
  const redact = redactor(secrets)
  return { record: redactRecord(run.record, redact), journal: run.journal.map((one) => redact.exchange(one)) }
}

function redactRecord(record: RunRecord, redact: Redactor): RunRecord {
  return JSON.parse(redact.text(JSON.stringify(record))) as RunRecord
}
