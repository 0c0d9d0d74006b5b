/** Runs the broken clients and command lines and returns the checks that fail. */
import { createServices } from '../../cli/client/services.ts'
import { functionRunner } from '../../suites/clients/execution/function-runner.ts'
import type { ClientRunner } from '../../suites/clients/execution/task.ts'
import { runClient, clientCalled } from '../../suites/runner/drivers/client.ts'
import type { ClientKind } from '../../reports/bundle/client-report.ts'
import type { RunRecord } from '../../reports/bundle/record.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { brokenCommandLines } from '../broken-command-lines.ts'
import { brokenClients } from './broken-clients/index.ts'
import { patchedClient, type BrokenClient } from './broken-clients/patch.ts'
import { runOf } from './client-function.ts'
import { commandLineRunner } from './command-line-function.ts'
import { worstVerdicts, copyResult, type CopyResult } from './copies.ts'

export interface Copy {
  readonly kind: 'client' | 'command line'
  readonly run: () => Promise<CopyResult>
}

const copiesOf = (
  kind: Copy['kind'],
  names: object,
  run: (name: string) => Promise<CopyResult>,
): readonly Copy[] => Object.keys(names).map((name) => ({ kind, run: () => run(name) }))

/** Every broken client and command line. */
export const clientCopies = (): readonly Copy[] => [
  ...copiesOf('client', brokenClients, runBrokenClient),
  ...copiesOf('command line', brokenCommandLines, runBrokenCommandLine),
]

async function runBrokenClient(name: string): Promise<CopyResult> {
  const { found, ...client } = brokenClients[name] ?? { patches: [] }
  return copyResult(name, judgedIn(await judgedClient(name, client)), found)
}

/** Without findings that a busy machine left undecided. */
export function judgedIn(record: RunRecord): RunRecord {
  const undecided: readonly string[] = ['inconclusive', 'not-exercised']
  return { ...record, findings: record.findings.filter(({ verdict }) => !undecided.includes(verdict)) }
}

export async function judgedClient(
  name: string,
  { as, patches, scenarios }: Omit<BrokenClient, 'found'>,
): Promise<RunRecord> {
  const run = await runOf(name, patchedClient(patches))
  return judged(name, as ?? 'client', functionRunner(run, { clock: realClock(), concurrency: 12 }), scenarios)
}

/** The table of command lines declares only one broken clause. */
async function runBrokenCommandLine(name: string): Promise<CopyResult> {
  const broken = brokenCommandLines[name]
  if (!broken) throw new Error(`there is no command line that ${name}`)
  const record = await judged(name, 'command-line', commandLineRunner(broken.program))
  const verdict = worstVerdicts(record)[broken.breaks] ?? 'pass'
  const problems = verdict === 'fail' ? [] : [`${broken.breaks}: expected fail, got ${verdict}`]
  return { name, red: copyResult(name, record).red, problems }
}

export async function judged(
  name: string,
  as: ClientKind,
  runner: ClientRunner,
  only?: readonly string[],
): Promise<RunRecord> {
  const clock = realClock()
  const startService = createServices({ clock, onKey: () => {} })
  const options = { seed: 1, runner, startService, clock, ...(only ? { only } : {}) }
  const { record } = await runClient(clientCalled(name, { as }), options)
  return record
}
