/**
 * Model-based tests: generates command sequences, runs each as part of one scenario, and shrinks the first that
 * fails. The judges of the scenario decide, over the exchanges of that sequence alone. Of fast-check only generation
 * and shrinking are used; results are recorded here, without its report.
 */
import * as fc from 'fast-check'
import { sequenceNotesOf, type Minimal, isAgainst, type SequenceJudges } from './sequences.ts'
import { inDialect } from '../wire/exchange.ts'
import type { Driver } from '../scenario/scenario.ts'
import type { Exchange } from '../wire/exchange.ts'

/** The size of a test, known before the first request, since the plan adds up the cost of scenarios. */
export interface Extent {
  runs: number
  longest: number
  /** The most requests that one command sends. Default 1. */
  each?: number
  /** The most requests of a sequence beside those of its commands. Default 0. */
  beside?: number
  /** The most requests for shrinking a failing sequence. Default 40. */
  shrinkRequests?: number
  /** How often the smallest sequence is repeated at the end. Default 5. */
  confirm?: number
}

export interface ModelTest<S> extends Extent {
  /**
   * Arrays of plain data; a command uses small numbers modulo the number of choices. It must not be mapped or
   * chained, since shrinking could then only remove its end.
   */
  sequence: fc.Arbitrary<readonly S[]>
  /** Fixed sequences that run first, so that every run includes each kind of command. */
  first?: readonly (readonly S[])[]
  /** Runs one sequence, with fresh keys and a new conversation. */
  run(commands: readonly S[]): Promise<void>
  /** The judges of the scenario, by clause; a failure or a warning of one fails the sequence. */
  judges: SequenceJudges
}

type ModelDriver = Pick<Driver, 'pick' | 'exchanges' | 'dialect' | 'notes' | 'note'>

/**
 * Sequences of commands, with all lengths about equally likely. Without `shortest` they include the empty one, which
 * is not run; with it, shrinking never goes below that length.
 */
export function sequences<S>(
  step: fc.Arbitrary<S>,
  { shortest = 0, longest }: { shortest?: number; longest: number },
): fc.Arbitrary<S[]> {
  return fc.array(step, { minLength: shortest, maxLength: longest, size: 'max' })
}

export function mostRequestsOf(extent: Extent): number {
  const { runs, longest, shrinkRequests = 40, confirm = 5 } = extent
  return (runs + confirm) * mostOf(longest, extent) + shrinkRequests
}

function mostOf(commands: number, { each = 1, beside = 0 }: Extent): number {
  return beside + each * commands
}

interface SequenceRun extends Pick<Minimal, 'from' | 'to'> {
  sent: number
  /** The number of requests, from the first, that suffice to fail. */
  needed: number
  clauses: readonly string[]
}

type Smallest<S> = SequenceRun & { sequence: readonly S[] }

interface Search<S> {
  readonly t: ModelDriver
  readonly modelTest: ModelTest<S>
  /** Sequences and requests up to the first failure. */
  runs: number
  requests: number
  shrinking: number
  readonly ends: number[]
  smallest: Smallest<S> | null
  reproduced: Minimal['reproduced']
}

/**
 * Runs the test and writes its size and result to the notes. Never sends more than `mostRequestsOf`. An error thrown by
 * `run` ends the scenario; results up to then are recorded.
 */
export async function runModelTest<S>(t: ModelDriver, modelTest: ModelTest<S>): Promise<void> {
  const counts = { runs: 0, requests: 0, shrinking: 0, reproduced: { times: 0, of: 0 } }
  const search: Search<S> = { t, modelTest, ...counts, ends: [], smallest: null }
  try {
    mustBeGenerable(modelTest)
    await generateAndRun(search)
    await shrink(search)
    await confirm(search)
  } finally {
    const { runs, requests, shrinking, reproduced, ends, smallest } = search
    const failure = smallest && { from: smallest.from, to: smallest.to, shrinking, reproduced }
    for (const [name, value] of Object.entries(sequenceNotesOf({ runs, requests, failure, ends })))
      t.note(name, value)
  }
}

/** A sequence that cannot be generated cannot be shrunk either, which would go unnoticed until it fails. */
function mustBeGenerable<S>({ sequence, first = [] }: ModelTest<S>): void {
  const odd = first.find((one) => !sequence.canShrinkWithoutContext(one))
  if (odd === undefined) return
  throw new Error(
    `\`first\` has a sequence that \`sequence\` cannot generate, so it could not be shrunk: ${JSON.stringify(odd)}; ` +
      'use only commands, and lengths, that it can generate',
  )
}

async function generateAndRun<S>(search: Search<S>): Promise<void> {
  const { t, modelTest } = search
  const thrown: unknown[] = []
  const passes = async (sequence: readonly S[]): Promise<boolean> => {
    // Another one is generated instead.
    fc.pre(sequence.length > 0)
    try {
      return await runGenerated(search, sequence)
    } catch (error) {
      thrown.push(error)
      throw new fc.PreconditionFailure(true)
    }
  }
  await fc.check(fc.asyncProperty(modelTest.sequence, passes), {
    seed: t.pick(2 ** 31),
    numRuns: modelTest.runs,
    examples: modelTest.first?.map((sequence): [readonly S[]] => [sequence]) ?? [],
    endOnFailure: true,
  })
  if (thrown.length > 0) throw thrown[0]
}

async function runGenerated<S>(search: Search<S>, sequence: readonly S[]): Promise<boolean> {
  search.runs += 1
  const executed = await execute(search, sequence)
  search.requests += executed.sent
  const fails = executed.clauses.length > 0
  if (fails) search.smallest = { ...executed, sequence }
  return !fails
}

/** Runs smaller sequences: first without the commands after the failure, then those that fast-check suggests. */
async function shrink<S>(search: Search<S>): Promise<void> {
  if (!search.smallest) return
  const { sequence } = search.modelTest
  const execution = new Set<string>()
  const smaller = async (commands: readonly S[]): Promise<boolean> => {
    const text = JSON.stringify(commands)
    if (commands.length === 0 || execution.has(text)) return false
    execution.add(text)
    return stillFails(search, commands)
  }
  await smaller(withoutEnd(search.smallest))
  const { sequence: failing } = search.smallest
  if (!sequence.canShrinkWithoutContext(failing)) return
  let candidates: Iterator<fc.Value<readonly S[]>> = sequence.shrink(failing, undefined)
  for (let next = candidates.next(); !next.done; next = candidates.next())
    if (await smaller(next.value.value)) candidates = sequence.shrink(next.value.value, next.value.context)
}

/** The commands whose requests suffice to fail, plus as many as sent none, wherever they are. */
function withoutEnd<S>({ sequence, needed, sent }: Smallest<S>): readonly S[] {
  return sequence.slice(0, needed + Math.max(0, sequence.length - sent))
}

/** Skips a candidate for which not enough requests remain: a smaller one may still fit. */
async function stillFails<S>(search: Search<S>, sequence: readonly S[]): Promise<boolean> {
  const { shrinkRequests = 40 } = search.modelTest
  if (search.shrinking + mostOf(sequence.length, search.modelTest) > shrinkRequests) return false
  const { sent, fails } = await failsAgain(search, sequence)
  search.shrinking += sent
  return fails
}

/** A failure counts if it concerns a clause of the first failure; the last sequence that fails is reported. */
async function failsAgain<S>(
  search: Search<S>,
  sequence: readonly S[],
): Promise<{ sent: number; fails: boolean }> {
  const wanted = search.smallest?.clauses ?? []
  const executed = await execute(search, sequence)
  const fails = executed.clauses.some((clause) => wanted.includes(clause))
  if (fails) search.smallest = { ...executed, sequence, clauses: wanted }
  return { sent: executed.sent, fails }
}

async function confirm<S>(search: Search<S>): Promise<void> {
  const { smallest, reproduced, modelTest } = search
  if (!smallest) return
  const { confirm: times = 5 } = modelTest
  while (reproduced.of < times) {
    const { fails } = await failsAgain(search, smallest.sequence)
    reproduced.of += 1
    if (fails) reproduced.times += 1
  }
}

async function execute<S>({ t, modelTest, ends }: Search<S>, sequence: readonly S[]): Promise<SequenceRun> {
  const since = t.exchanges().at(-1)?.id ?? 0
  await modelTest.run(sequence)
  const exchanges = inDialect(t.exchanges(since), t.dialect)
  const sent = exchanges.filter(isSent).length
  const most = mostOf(sequence.length, modelTest)
  if (sent > most)
    throw new Error(
      `a sequence of ${sequence.length} commands sent ${sent} requests; its extent allows ${most}`,
    )
  const to = exchanges.at(-1)?.id ?? since
  ends.push(to)
  const failing = (some: readonly Exchange[]): readonly string[] =>
    Object.entries(modelTest.judges).flatMap(([clause, judge]) =>
      isAgainst(judge(some, { dialect: t.dialect, notes: t.notes })) ? [clause] : [],
    )
  const clauses = failing(exchanges)
  const enough = exchanges.findIndex(
    (_, at) => clauses.length > 0 && failing(exchanges.slice(0, at + 1)).length > 0,
  )
  const needed = exchanges.slice(0, enough + 1).filter(isSent).length
  return { from: exchanges[0]?.id ?? to, to, sent, needed, clauses }
}

const isSent = ({ inbound }: Exchange): boolean => inbound === undefined
