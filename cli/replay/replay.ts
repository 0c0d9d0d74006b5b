/** `touchstone replay`: replays counterexamples one after the other, and prints the result of each. */
import type { Words } from '../../reports/document/blocks.ts'
import { sectionsAsText } from '../../reports/document/text.ts'
import { createRedactor } from '../../bundle/redaction/redaction.ts'
import { secretsOf } from '../../suites/config/secret-values.ts'
import { type Counterexample, readCounterexample } from '../../suites/counterexample/file.ts'
import { replay, scenarioOf, type Replayed } from '../../suites/counterexample/replay.ts'
import { serverScenarios } from '../../suites/scenarios.ts'
import { openTarget, personAt, type OpenTarget } from '../check/target.ts'
import type { ReplayOptions } from '../commands/options.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { baseUrlOption, fileText } from '../values.ts'
import { version } from '../version.ts'

/** From best to worst; of several files the worst counts. */
const { ok, lessExercised, unreachable, nonconformant } = exitCodes
const codeOf: Readonly<Record<string, number>> = { FIXED: ok, FAILS: nonconformant }
const severity: readonly number[] = [ok, lessExercised, unreachable, nonconformant]

export async function replayFiles(paths: readonly string[], options: ReplayOptions, io: Io): Promise<number> {
  // Every file is read before the first request.
  const files = paths.map((path) => [path, read(path)] as const)
  const identifiers = files.find(([, file]) => file.identifiers)?.[1].identifiers
  const { target, clock, close } = await placeFor(options, identifiers, io)
  const redactor = createRedactor(secretsOf(target))
  const { times, allowExec = false } = options
  const own = { version: version(), signal: io.stopped, ask: personAt(io), clock }
  const deps = { scenarios: serverScenarios, ...own }
  const codes: number[] = []
  try {
    for (const [path, file] of files) {
      const replayed = await replay(file, target, { ...deps, allowExec, times })
      // Before lines are broken, which would cut a secret in two.
      const clean = (text = ''): string => redactor.text(text.replaceAll(/\s+/g, ' '))
      const fields = fieldsOf(path, file, replayed, options).map(([name, text]): [string, Words] => [
        name,
        name === 'file' ? { code: clean(text) } : clean(text),
      ])
      const counts = {
        FAILS: ` (${replayed.failed} of ${replayed.times})`,
        FIXED: ` (passed ${replayed.passed} of ${replayed.times})`,
        'CANNOT JUDGE': '',
      }
      const head = [{ fold: replayed.verdict + counts[replayed.verdict], blocks: [{ fields }] }]
      io.out(sectionsAsText({ head, sections: [] }, { colour: io.colour, width: io.width, full: path }))
      codes.push(codeOf[replayed.verdict] ?? (replayed.unreachable ? unreachable : lessExercised))
      if (io.stopped.aborted) break
    }
  } finally {
    await close()
  }
  return codes.toSorted((a, b) => severity.indexOf(b) - severity.indexOf(a))[0] ?? ok
}

function read(path: string): Counterexample {
  const file = readCounterexample(fileText(path, `replay file ${path}`), path)
  scenarioOf(file, serverScenarios)
  return file
}

/** A target file declares everything; --base-url overrides its address. */
async function placeFor(
  { baseUrl, target, apiKey, agent, optIn, fault, variant, interpret, trace }: ReplayOptions,
  identifiers: Counterexample['identifiers'],
  io: Io,
): Promise<OpenTarget> {
  const more = { optIn, fault, variant, interpret, trace }
  const identifier = identifiers && Object.entries(identifiers).map((pair) => pair.join('='))
  const alone = { ...more, apiKey, agent, identifier }
  if (baseUrl === 'simulator') return openTarget('simulator', alone, io)
  if (target === undefined) return openTarget(undefined, { ...alone, baseUrl }, io)
  if (apiKey !== undefined || agent !== undefined)
    throw new UsageError('--target cannot be combined with --api-key and --agent; leave them out.')
  const place = await openTarget(target, more, io)
  const own = { ...(identifiers && { identifiers }), ...place.target }
  return { ...place, target: baseUrl === undefined ? own : { ...own, baseUrl: baseUrlOption(baseUrl) } }
}

function fieldsOf(path: string, file: Counterexample, replayed: Replayed, options: ReplayOptions) {
  const { verdict, failed, passed, times, expected, got, because } = replayed
  const fails = verdict === 'FAILS'
  return [
    ['check', file.check],
    ['clause', file.clause.text],
    ['expected', fails ? expected : undefined],
    ['got', fails ? got : undefined],
    ['because', failed + passed === times ? undefined : because],
    ['helps', verdict === 'CANNOT JUDGE' ? helpFor(file, replayed, options) : undefined],
    ['file', path],
  ] as const
}

function helpFor(
  { replay: way, because = '' }: Counterexample,
  { unreachable }: Replayed,
  { target, baseUrl }: ReplayOptions,
): string | undefined {
  if (unreachable) return 'check the address and that the service is up'
  if (way !== 'scenario' || target !== undefined || baseUrl === 'simulator') return undefined
  return `--target FILE, a target file that declares it: ${because}`
}
