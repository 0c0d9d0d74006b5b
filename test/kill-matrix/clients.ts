/** What the broken copies of a client, and of a command line, turn red. */
import { createServices } from '../../cli/client/services.ts'
import { functionRunner } from '../../suites/clients/execution/function-runner.ts'
import type { ClientRunner } from '../../suites/clients/execution/client-runner.ts'
import { runClient } from '../../suites/runner/drivers/client.ts'
import type { ClientKind } from '../../reports/bundle/client-report.ts'
import { clientCalled } from '../../suites/clients/subject.ts'
import type { RunRecord } from '../../reports/bundle/record.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { brokenCommandLines } from '../broken-command-lines.ts'
import { brokenClients } from './broken-clients/index.ts'
import { patchedClient, type BrokenClient } from './broken-clients/patch.ts'
import { runOf } from './client-function.ts'
import { performing } from './command-line-function.ts'
import { against, copyTold, type CopyTold } from './copies.ts'

export interface Copy {
  readonly kind: 'client' | 'command line'
  readonly tell: () => Promise<CopyTold>
}

const told = (
  kind: Copy['kind'],
  names: object,
  tell: (name: string) => Promise<CopyTold>,
): readonly Copy[] => Object.keys(names).map((name) => ({ kind, tell: () => tell(name) }))

/** Every broken client and command line. */
export const clientCopies = (): readonly Copy[] => [
  ...told('client', brokenClients, tellClient),
  ...told('command line', brokenCommandLines, tellCommandLine),
]

async function tellClient(name: string): Promise<CopyTold> {
  const { found, ...client } = brokenClients[name] ?? { patches: [] }
  return copyTold(name, judgedIn(await judgedClient(name, client)), found)
}

/** What could not be told on a busy machine is neither here nor there. */
export function judgedIn(record: RunRecord): RunRecord {
  const untold: readonly string[] = ['inconclusive', 'not-exercised']
  return { ...record, findings: record.findings.filter(({ verdict }) => !untold.includes(verdict)) }
}

export async function judgedClient(
  name: string,
  { as, patches, scenarios }: Omit<BrokenClient, 'found'>,
): Promise<RunRecord> {
  const run = await runOf(name, patchedClient(patches))
  return judged(name, as ?? 'client', functionRunner(run, { clock: realClock(), concurrency: 12 }), scenarios)
}

/** Its table says of one clause that it breaks it, and nothing of the others. */
async function tellCommandLine(name: string): Promise<CopyTold> {
  const broken = brokenCommandLines[name]
  if (!broken) throw new Error(`there is no command line that ${name}`)
  const record = await judged(name, 'command-line', performing(broken.program))
  const said = against(record)[broken.breaks] ?? 'pass'
  const problems = said === 'fail' ? [] : [`${broken.breaks}: expected fail, got ${said}`]
  return { name, red: copyTold(name, record).red, problems }
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
