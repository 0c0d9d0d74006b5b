/** What a run leaves on disk. Secrets are taken out here, before anything is rendered or written. */
import { exporters } from '../../reports/index.ts'
import type { Run, RunRecord } from '../../suites/record.ts'
import type { Target } from '../../suites/target/target.ts'
import { writeJournal } from '../../suites/wire/journal.ts'
import { redactor } from '../../suites/wire/redaction.ts'
import type { Redactor, Secret } from '../../suites/wire/redaction.ts'
import type { Folder } from './folder.ts'

const planFile = 'plan.json'
const journalFile = 'journal.ndjson'

/** Every file that a run may leave. */
export const bundleFiles: readonly string[] = [planFile, journalFile, ...exporters.map(({ file }) => file)]

export function writePlan(plan: RunRecord['plan'], folder: Folder): void {
  folder.write(planFile, `${JSON.stringify(plan, null, 2)}\n`)
}

/** `run` must be without secrets. */
export function writeBundle(run: Run, folder: Folder): void {
  folder.write(journalFile, writeJournal(run.journal))
  for (const { file, render } of exporters) folder.write(file, render(run))
}

/** The run with a token in place of every secret of its target, wherever one turned up. */
export function withoutSecrets(run: Run, target: Target): Run {
  const redact = redactor(secretsOf(target))
  return { record: redactRecord(run.record, redact), journal: run.journal.map((one) => redact.exchange(one)) }
}

function redactRecord(record: RunRecord, redact: Redactor): RunRecord {
  return JSON.parse(redact.text(JSON.stringify(record))) as RunRecord
}

/** Shorter values are ordinary words; a target that uses one as a secret has none. */
const shortestSecret = 8

function secretsOf({ principals, headers, control }: Target): readonly Secret[] {
  const all = [
    ...principals.map(({ name, bearer }) => ({ name: `key:${plain(name)}`, value: bearer })),
    ...headers.map(([name, value]) => ({ name: `header:${plain(name)}`, value })),
    ...(control?.token ? [{ name: 'control', value: control.token }] : []),
  ]
  return all.filter(({ value }) => value.length >= shortestSecret)
}

/** What may stand in a token. */
function plain(name: string): string {
  return name.replaceAll(/[^\w.-]/g, '-')
}
