/** Runs the broken clients and command lines and returns the checks that fail. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createServices } from '../../cli/client/services.ts'
import { functionRunner, type RunFunction } from '../../suites/clients/execution/step.ts'
import type { ClientRunner, ClientTask, CommandTask } from '../../suites/clients/execution/task.ts'
import { runClient, clientCalled } from '../../suites/runner/drivers/client.ts'
import type { ClientKind, ClientReport } from '../../bundle/client-report.ts'
import type { RunRecord } from '../../bundle/record.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { brokenCommandLines, type Program } from '../broken-command-lines.ts'
import { brokenClients } from './broken-clients/index.ts'
import { patchedClient, type BrokenClient } from './broken-clients/patch.ts'
import { worstVerdicts, copyResult, type CopyResult } from './copies.ts'
import { commandFor, withHome } from '../../cli/client/runners.ts'
import { vendorVariables } from '../../cli/options.ts'
import type { Identifiers } from '../../spec/index.ts'

export interface Copy {
  readonly kind: 'client' | 'command line'
  readonly name: string
  /** `only`: scenarios; all where it is left out. */
  readonly run: (only?: readonly string[]) => Promise<CopyResult>
}

const copiesOf = (
  kind: Copy['kind'],
  names: object,
  run: (name: string, only?: readonly string[]) => Promise<CopyResult>,
): readonly Copy[] => Object.keys(names).map((name) => ({ kind, name, run: (only) => run(name, only) }))

/** Every broken client and command line. */
export const clientCopies = (): readonly Copy[] => [
  ...copiesOf('client', brokenClients, runBrokenClient),
  ...copiesOf('command line', brokenCommandLines, runBrokenCommandLine),
]

async function runBrokenClient(name: string, only?: readonly string[]): Promise<CopyResult> {
  const { found, ...client } = brokenClients[name] ?? { patches: [] }
  return copyResult(
    name,
    judgedIn(await judgedClient(name, only ? { ...client, scenarios: only } : client)),
    found,
  )
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
async function runBrokenCommandLine(name: string, only?: readonly string[]): Promise<CopyResult> {
  const broken = brokenCommandLines[name]
  if (!broken) throw new Error(`there is no command line that ${name}`)
  const record = await judged(name, 'command-line', commandLineRunner(broken.program), only)
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

const folder = mkdtempSync(join(tmpdir(), 'touchstone-clients-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** The reports of the current task. */
const reports = new AsyncLocalStorage<ClientReport[]>()
Object.assign(globalThis, { touchstoneReport: (line: ClientReport) => reports.getStore()?.push(line) })

const printed = 'console.log(`touchstone ${JSON.stringify(line)}`)'
const start = 'const { TOUCHSTONE_TASK'

interface Service {
  baseUrl: string
  apiKey: string
  agent: string
}

type Act = (service: Service, task: ClientTask) => Promise<void>

/** Omits how the client receives tasks, which is the same in all of them. */
async function actOf(name: string, source: string): Promise<Act> {
  const [body = '', ...rest] = source.split(start)
  if (rest.length !== 1 || body.split(printed).length !== 2)
    throw new Error('the end of fetch.ts is not as expected')
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.ts`)
  // As if the line had been printed and parsed.
  const replacement = 'touchstoneReport(JSON.parse(JSON.stringify(line)))'
  writeFileSync(file, `${body.replace(printed, replacement)}export { act }\n`)
  const { act } = (await import(pathToFileURL(file).href)) as { act: Act }
  return act
}

export async function runOf(name: string, source: string): Promise<RunFunction> {
  const act = await actOf(name, source)
  return async ({ service: { baseUrl, apiKey, agent }, task }) => {
    const lines: ClientReport[] = []
    await reports.run(lines, () => act({ baseUrl, apiKey, agent }, task))
    return lines
  }
}

type Place = Omit<Parameters<typeof commandFor>[1], 'words' | 'env'>

/** `vendor`: passed to the program in environment variables, as by `touchstone client`. */
export function commandLineRunner(
  program: Program,
  vendor: { vendor?: string; identifiers?: Identifiers } = {},
): ClientRunner {
  const variables = Object.fromEntries(
    Object.entries(vendorVariables(vendor)).filter(([, value]) => value !== undefined),
  )
  const runTask = (task: Pick<CommandTask, 'words' | 'env' | 'stdin'>, { home, service }: Place) => {
    const {
      words,
      env,
      stdin = '',
    } = commandFor(task, { ...vendor, words: [], env: variables, home, service })
    return program(words, { home, env, read: () => Promise.resolve(stdin) })
  }
  return {
    concurrency: 8,
    lingerMs: 0,
    runStep: ({ service, task }) =>
      withHome(async (home) => {
        if (task.do !== 'command') throw new Error(`a command line cannot run task ${task.do}`)
        for (const before of task.beforehand ?? []) await runTask(before, { home, service })
        const { code, out, err } = await runTask(task, { home, service })
        return { ended: 'exit', exitCode: code, reported: [], stdout: out, stderr: err }
      }),
    close: () => Promise.resolve(),
  }
}
