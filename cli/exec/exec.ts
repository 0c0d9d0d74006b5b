/** `touchstone exec`: runs a simulator for as long as a command runs. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Io } from '../io.ts'
import { openSimulator, type Ready } from '../simulate/open.ts'
import { vendorVariables } from '../options.ts'
import type { ExecOptions } from '../commands/options.ts'
import { mustBeProgram } from '../client/task-variables.ts'
import { exitCodes } from '../exit-codes.ts'
import { writeOut } from '../out-file.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf, headerSecret } from '../values.ts'
import type { Identifiers } from '../../spec/identifiers.ts'
import type { TenantOptions } from '../../simulator/index.ts'
import type { EndedJournal } from '../../simulator/vitest/journals.ts'
import type { ClientCoverage } from './coverage.ts'

type PlaceholderValues = Readonly<Record<Placeholder, string | undefined>>

/** Variables whose names do not depend on the vendor. */
const variables = {
  agent: 'TOUCHSTONE_AGENT',
  session: 'TOUCHSTONE_SESSION',
  seed: 'TOUCHSTONE_SEED',
  control_url: 'TOUCHSTONE_CONTROL_URL',
  control_token: 'TOUCHSTONE_CONTROL_TOKEN',
  tenant: 'TOUCHSTONE_TENANT',
} as const

type Placeholder = keyof typeof variables | 'base_url' | 'api_key'

export function placeholderValues(ready: Ready, token: string | undefined): PlaceholderValues {
  const { url, seed, keys, agents, sessions, control } = ready
  return {
    base_url: url,
    api_key: keys.main,
    agent: agents.plain,
    session: sessions.main,
    seed,
    control_url: control ?? undefined,
    control_token: token,
    tenant: JSON.stringify(ready),
  }
}

/** Overrides the environment of this process; an undefined value removes the variable. */
export function environmentOf(
  values: PlaceholderValues,
  { baseUrlVariable, apiKeyVariable }: Identifiers,
): Record<string, string | undefined> {
  const names = { base_url: baseUrlVariable, api_key: apiKeyVariable, ...variables }
  const named = Object.entries(names) as [Placeholder, string][]
  return Object.fromEntries(named.map(([placeholder, name]) => [name, values[placeholder]]))
}

/** Leaves other braces unchanged. Throws a UsageError for a placeholder without a value. */
export function fillArguments(words: readonly string[], values: PlaceholderValues): readonly string[] {
  const put = (whole: string, name: string): string => {
    if (!Object.hasOwn(values, name)) return whole
    const value = values[name as Placeholder]
    if (value !== undefined) return value
    const option = name === 'control_token' ? 'give --control-token' : 'leave out --no-control'
    throw new UsageError(`${whole} has no value: ${option}.`)
  }
  return words.map((word) => word.replaceAll(/\{([a-z_]+)\}/g, put))
}

/** Of `--coverage`, with `--require`. */
const defaultFile = 'touchstone-coverage.json'

/** Takes a part of a second to load, in which the command can start. */
const loadCoverage = () => import('./coverage.ts')

/** Reads each journal as it ends: tenants of single tests are removed before the command ends. */
function journalReader() {
  const ended: EndedJournal[] = []
  let coverage: ClientCoverage | undefined
  const drain = (): void => {
    if (coverage) for (const one of ended.splice(0)) coverage.read(one)
  }
  // Credentials are kept to keep clients apart; what is printed and written has none.
  const journals: Pick<TenantOptions, 'journalCredentials' | 'onJournalEnd'> = {
    journalCredentials: 'kept',
    onJournalEnd(journal, identifiers) {
      ended.push({ entries: journal.entries(), dropped: journal.dropped, identifiers })
      drain()
    },
  }
  return {
    journals,
    load: async (): Promise<ClientCoverage> => {
      coverage ??= (await loadCoverage()).createCoverage()
      drain()
      return coverage
    },
  }
}

export async function runExec(words: readonly string[], options: ExecOptions, io: Io): Promise<number> {
  const { controlToken: reference, require: patterns } = options
  const token = reference === undefined ? undefined : headerSecret('--control-token', reference, io.env)
  const required = patterns ? (await loadCoverage()).requiredRows(patterns) : []
  const file = options.coverage ?? (patterns && defaultFile)
  // A path that cannot be written to does not cost a run of the command.
  if (file !== undefined) writeOut(file, '', '--coverage')
  const { journals, load } = journalReader()
  const { simulator, ready } = await openSimulator(options, { host: '127.0.0.1', port: 0, ...journals }, io)
  let ended: [code: number, coverage: ClientCoverage]
  try {
    const values = placeholderValues(ready, token)
    const given = { ...environmentOf(values, ready.identifiers), ...vendorVariables(ready) }
    ended = await Promise.all([run(fillArguments(words, values), { ...io.env, ...given }, io), load()])
  } finally {
    await simulator.close()
  }
  const [code, coverage] = ended
  const { concludeCoverage } = await loadCoverage()
  const isMet = concludeCoverage(coverage, { required, file, print: io.err, width: io.width })
  return code === 0 && !isMet ? exitCodes.nonconformant : code
}

async function run([program = '', ...rest]: readonly string[], env: Io['env'], io: Io): Promise<number> {
  mustBeProgram(program, env)
  const child = spawn(program, rest, { stdio: 'inherit', env: { ...env } })
  const forget = child.pid === undefined ? () => Promise.resolve([]) : io.handSignalsTo(child.pid)
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', (error) => reject(new UsageError(`${program} cannot be run (${codeOf(error)}).`)))
      child.once('exit', (code, signal) =>
        resolve(signal === null ? (code ?? 0) : 128 + constants.signals[signal]),
      )
    })
  } finally {
    const left = await forget()
    if (left.length > 0) io.err(`Still running, as it did not end with the command: ${left.join(', ')}.\n`)
  }
}
