/** Replays counterexamples one after the other, and prints the result of each. */
import { readFileSync } from 'node:fs'
import type { Words } from '../../reports/document/blocks.ts'
import { sectionsAsText } from '../../reports/document/text.ts'
import { createRedactor } from '../../reports/bundle/redaction/redaction.ts'
import { readCounterexample } from '../../suites/counterexample/read.ts'
import { replay, scenarioOf, type Replayed } from '../../suites/counterexample/replay.ts'
import type { Counterexample } from '../../suites/counterexample/file.ts'
import { serverScenarios } from '../../suites/scenarios.ts'
import type { Target } from '../../suites/config/target.ts'
import { secretsOf } from '../../suites/config/secret-values.ts'
import { personAt } from '../check/ask-person.ts'
import { openTarget, type OpenTarget } from '../check/target.ts'
import { exitCodes } from '../exit-codes.ts'
import { readProblem } from '../../suites/config/file/unreadable.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { baseUrlOption } from '../values.ts'
import { version } from '../version.ts'

export interface ReplayCommandOptions {
  baseUrl?: string
  target?: string
  apiKey?: string
  agent?: string
  times?: number
  optIn?: readonly string[]
  allowExec?: boolean
  fault?: readonly string[]
  variant?: readonly string[]
  interpret?: readonly string[]
}

/** From best to worst; of several files the worst counts. */
const severity: readonly number[] = [
  exitCodes.ok,
  exitCodes.lessExercised,
  exitCodes.unreachable,
  exitCodes.nonconformant,
]

/** Returns the exit code. Reads every file before the first request. Throws UsageError and ConfigurationError. */
export async function replayFiles(
  paths: readonly string[],
  options: ReplayCommandOptions,
  io: Io,
): Promise<number> {
  const files = paths.map((path) => [path, read(path)] as const)
  const place = await placeFor(options, identifiersOf(files.map(([, file]) => file)), io)
  const codes: number[] = []
  try {
    for (const [path, file] of files) {
      const replayed = await replay(file, place.target, means(options, io))
      // Before lines are broken, which would cut a secret in two.
      const clean = (text = ''): string => withoutSecrets(text.replaceAll(/\s+/g, ' '), place.target)
      const fields = fieldsOf(path, file, replayed, options).map(([name, text]): [string, Words] => [
        name,
        name === 'file' ? { code: clean(text) } : clean(text),
      ])
      const head = [{ fold: resultOf(replayed), blocks: [{ fields }] }]
      io.out(sectionsAsText({ head, sections: [] }, { colour: io.colour, width: io.width, full: path }))
      codes.push(codeFor(replayed))
      if (io.stopped.aborted) break
    }
  } finally {
    await place.close()
  }
  return codes.toSorted((a, b) => severity.indexOf(b) - severity.indexOf(a))[0] ?? exitCodes.ok
}

function read(path: string): Counterexample {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`replay file ${path}: ${readProblem(path, error)}`)
  }
  const file = readCounterexample(text, path)
  scenarioOf(file, serverScenarios)
  return file
}

const identifiersOf = (files: readonly Counterexample[]): Counterexample['identifiers'] =>
  files.find(({ identifiers }) => identifiers)?.identifiers

/** A target file declares everything; --base-url overrides its address. */
async function placeFor(
  { baseUrl, target, apiKey, agent, ...options }: ReplayCommandOptions,
  identifiers: Counterexample['identifiers'],
  io: Io,
): Promise<OpenTarget> {
  const { optIn, fault, variant, interpret } = options
  const more = given({ optIn, fault, variant, interpret })
  const identifier = identifiers && Object.entries(identifiers).map((pair) => pair.join('='))
  const alone = given({ ...more, apiKey, agent, identifier })
  if (baseUrl === 'simulator') return openTarget('simulator', alone, io)
  if (target === undefined) return openTarget(undefined, given({ ...alone, baseUrl }), io)
  if (apiKey !== undefined || agent !== undefined)
    throw new UsageError('--target cannot be combined with --api-key and --agent; leave them out.')
  const place = await openTarget(target, more, io)
  const own = { ...given({ identifiers }), ...place.target }
  return { ...place, target: baseUrl === undefined ? own : { ...own, baseUrl: baseUrlOption(baseUrl) } }
}

/** Without undefined members. */
function given<T extends object>(options: T): { [N in keyof T]?: NonNullable<T[N]> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [N in keyof T]?: NonNullable<T[N]>
  }
}

function means({ times, allowExec = false }: ReplayCommandOptions, io: Io) {
  const often = times === undefined ? {} : { times }
  const run = { scenarios: serverScenarios, version: version(), signal: io.stopped, ask: personAt(io) }
  return { ...run, allowExec, ...often }
}

function codeFor({ verdict, unreachable }: Replayed): number {
  if (verdict === 'FIXED') return exitCodes.ok
  if (verdict === 'FAILS') return exitCodes.nonconformant
  return unreachable ? exitCodes.unreachable : exitCodes.lessExercised
}

function resultOf({ verdict, failed, passed, times }: Replayed): string {
  const counts = {
    FAILS: ` (${failed} of ${times})`,
    FIXED: ` (passed ${passed} of ${times})`,
    'CANNOT JUDGE': '',
  }
  return verdict + counts[verdict]
}

function fieldsOf(path: string, file: Counterexample, replayed: Replayed, options: ReplayCommandOptions) {
  const { verdict, failed, passed, times, expected, got, because } = replayed
  return [
    ['check', file.check],
    ['clause', file.clause.text],
    ['expected', verdict === 'FAILS' ? expected : undefined],
    ['got', verdict === 'FAILS' ? got : undefined],
    ['because', failed + passed === times ? undefined : because],
    ['helps', verdict === 'CANNOT JUDGE' ? helpFor(file, replayed, options) : undefined],
    ['file', path],
  ] as const
}

function helpFor(
  { replay: way, because = '' }: Counterexample,
  { unreachable }: Replayed,
  { target, baseUrl }: ReplayCommandOptions,
): string | undefined {
  if (unreachable) return 'check the address and that the service is up'
  if (way === 'scenario' && target === undefined && baseUrl !== 'simulator')
    return `--target FILE, a target file that declares it: ${because}`
  return undefined
}

function withoutSecrets(text: string, target: Target): string {
  const secrets = secretsOf(target)
  return secrets.length === 0 ? text : createRedactor(secrets).text(text)
}
