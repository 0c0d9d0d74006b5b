/**
 * Draws courses of steps, runs each as part of one scenario, and makes the first that fails small. What fails is
 * asked of the scenario's own judges, over the exchanges of that course alone. All of fast-check's ways of ending
 * a search stay in here: what was found is kept by us, and its own report is not looked at.
 */
import * as fc from 'fast-check'
import { notesOf, type Minimal } from './sequences.ts'
import { isAgainst, type CourseJudges } from './sequences.ts'
import { inDialect } from '../wire/exchange.ts'
import type { Driver } from '../scenario/driver.ts'
import type { Exchange } from '../wire/exchange.ts'

/** How far it may look: known before the first request, because the plan adds up what scenarios cost. */
export interface Extent {
  /** Courses to draw. */
  runs: number
  /** Steps of the longest course. */
  longest: number
  /** The most requests that one step sends. Default 1. */
  each?: number
  /** The most requests that a course sends beside those of its steps. Default 0. */
  beside?: number
  /** The most requests to spend on making a failing course small. Default 40. */
  shrinkRequests?: number
  /** How often the smallest course is run again at the end. Default 5. */
  confirm?: number
}

export interface Exploration<S> extends Extent {
  /**
   * Arrays of plain data: of small numbers a walk takes what it needs modulo what there is. Nothing in it may be
   * mapped or chained, or it is made no smaller than by leaving its end out.
   */
  course: fc.Arbitrary<readonly S[]>
  /** Courses to begin with, before any is drawn: so that each kind of step is seen, whatever chance says. */
  first?: readonly (readonly S[])[]
  /** Runs one course, with fresh keys and in a conversation of its own. */
  walk(steps: readonly S[]): Promise<void>
  /** The judges of the scenario, by clause; one that is broken or weak makes a course a failing one. */
  judges: CourseJudges
  /** While it is made small each course is run so often, or until it fails: for what shows only at times. Default 1. */
  repeats?: number
}

type Teller = Pick<Driver, 'pick' | 'told' | 'dialect' | 'notes' | 'note'>

/**
 * Courses of so many steps, all lengths about as often. Without a `shortest` the empty one is among them, which is
 * not played; with one, no course gets rid of its last steps while it is made small.
 */
export function courses<S>(
  step: fc.Arbitrary<S>,
  { shortest = 0, longest }: { shortest?: number; longest: number },
): fc.Arbitrary<S[]> {
  return fc.array(step, { minLength: shortest, maxLength: longest, size: 'max' })
}

/** The most requests that exploring so far can take. */
export function requestsOf(extent: Extent): number {
  const { runs, longest, shrinkRequests = 40, confirm = 5 } = extent
  return (runs + confirm) * mostOf(longest, extent) + shrinkRequests
}

function mostOf(steps: number, { each = 1, beside = 0 }: Extent): number {
  return beside + each * steps
}

/** A course as it was run. */
interface Walked extends Pick<Minimal, 'from' | 'to'> {
  sent: number
  /** Of these, so many from the first on break something already. */
  needed: number
  /** What it breaks. */
  clauses: readonly string[]
}

type Smallest<S> = Walked & { course: readonly S[] }

/** A search, and what is remembered of it. */
interface Search<S> {
  readonly t: Teller
  readonly exploration: Exploration<S>
  /** Courses, and requests, until the first that failed. */
  runs: number
  requests: number
  /** Requests spent on making it small. */
  shrinking: number
  /** The last exchange of each course. */
  readonly ends: number[]
  smallest: Smallest<S> | null
  reproduced: Minimal['reproduced']
}

/**
 * Explores, and leaves in the notes how far it looked and what it found. Never sends more than `requestsOf`. What
 * `walk` throws ends the scenario, as it does in any scenario; what was found until then is kept.
 */
export async function explore<S>(t: Teller, exploration: Exploration<S>): Promise<void> {
  const counts = { runs: 0, requests: 0, shrinking: 0, reproduced: { times: 0, of: 0 } }
  const search: Search<S> = { t, exploration, ...counts, ends: [], smallest: null }
  try {
    mustBeDrawable(exploration)
    await look(search)
    await shrink(search)
    await confirm(search)
  } finally {
    const { runs, requests, shrinking, reproduced, ends, smallest } = search
    const failure = smallest && { from: smallest.from, to: smallest.to, shrinking, reproduced }
    for (const [name, value] of Object.entries(notesOf({ runs, requests, failure, ends })))
      t.note(name, value)
  }
}

/** What could not be drawn is not made small either, which nobody would notice until it fails. */
function mustBeDrawable<S>({ course, first = [] }: Exploration<S>): void {
  const odd = first.find((one) => !course.canShrinkWithoutContext(one))
  if (odd === undefined) return
  throw new Error(
    `\`first\` has a course that \`course\` cannot draw, so it could not be made small: ${JSON.stringify(odd)}; ` +
      'give it only steps, and as many, as can be drawn',
  )
}

/** Draws and runs until a course fails, or all have been played. */
async function look<S>(search: Search<S>): Promise<void> {
  const { t, exploration } = search
  const thrown: unknown[] = []
  const holds = async (course: readonly S[]): Promise<boolean> => {
    // Another is drawn in its place.
    fc.pre(course.length > 0)
    try {
      return await drawn(search, course)
    } catch (error) {
      thrown.push(error)
      throw new fc.PreconditionFailure(true)
    }
  }
  await fc.check(fc.asyncProperty(exploration.course, holds), {
    seed: t.pick(2 ** 31),
    numRuns: exploration.runs,
    examples: exploration.first?.map((course): [readonly S[]] => [course]) ?? [],
    endOnFailure: true,
  })
  if (thrown.length > 0) throw thrown[0]
}

async function drawn<S>(search: Search<S>, course: readonly S[]): Promise<boolean> {
  search.runs += 1
  const walked = await run(search, course)
  search.requests += walked.sent
  const fails = walked.clauses.length > 0
  if (fails) search.smallest = { ...walked, course }
  return !fails
}

/** Runs ever smaller courses: without what follows the failure, and then what fast-check thinks of. */
async function shrink<S>(search: Search<S>): Promise<void> {
  if (!search.smallest) return
  const { course } = search.exploration
  const execution = new Set<string>()
  const smaller = async (steps: readonly S[]): Promise<boolean> => {
    const text = JSON.stringify(steps)
    if (steps.length === 0 || execution.has(text)) return false
    execution.add(text)
    return stillFails(search, steps)
  }
  await smaller(withoutEnd(search.smallest))
  const { course: whole } = search.smallest
  if (!course.canShrinkWithoutContext(whole)) return
  let candidates: Iterator<fc.Value<readonly S[]>> = course.shrink(whole, undefined)
  for (let next = candidates.next(); !next.done; next = candidates.next())
    if (await smaller(next.value.value)) candidates = course.shrink(next.value.value, next.value.context)
}

/** As many steps as sent what the failure needs. Steps that sent nothing may all stand before it. */
function withoutEnd<S>({ course, needed, sent }: Smallest<S>): readonly S[] {
  return course.slice(0, needed + Math.max(0, course.length - sent))
}

/** What no longer fits into the requests that are left is passed over: a smaller course may still fit. */
async function stillFails<S>(search: Search<S>, course: readonly S[]): Promise<boolean> {
  const { shrinkRequests = 40, repeats = 1 } = search.exploration
  for (let again = 0; again < repeats; again++) {
    if (search.shrinking + mostOf(course.length, search.exploration) > shrinkRequests) return false
    const { sent, fails } = await failsAgain(search, course)
    search.shrinking += sent
    if (fails) return true
  }
  return false
}

/** It counts where it breaks one of the clauses that the first one broke; the last that did is the one to show. */
async function failsAgain<S>(
  search: Search<S>,
  course: readonly S[],
): Promise<{ sent: number; fails: boolean }> {
  const wanted = search.smallest?.clauses ?? []
  const walked = await run(search, course)
  const fails = walked.clauses.some((clause) => wanted.includes(clause))
  if (fails) search.smallest = { ...walked, course, clauses: wanted }
  return { sent: walked.sent, fails }
}

async function confirm<S>(search: Search<S>): Promise<void> {
  const { smallest, reproduced, exploration } = search
  if (!smallest) return
  const { confirm: times = 5 } = exploration
  while (reproduced.of < times) {
    const { fails } = await failsAgain(search, smallest.course)
    reproduced.of += 1
    if (fails) reproduced.times += 1
  }
}

/** Runs one course and judges its exchanges alone. */
async function run<S>({ t, exploration, ends }: Search<S>, course: readonly S[]): Promise<Walked> {
  const since = t.told().at(-1)?.id ?? 0
  await exploration.walk(course)
  const told = inDialect(t.told(since), t.dialect)
  const sent = told.filter(isSent).length
  const most = mostOf(course.length, exploration)
  if (sent > most)
    throw new Error(`a course of ${course.length} steps sent ${sent} requests; its extent allows ${most}`)
  const to = told.at(-1)?.id ?? since
  ends.push(to)
  const broken = (some: readonly Exchange[]): readonly string[] => brokenIn(some, t, exploration)
  const clauses = broken(told)
  const enough = told.findIndex((_, at) => clauses.length > 0 && broken(told.slice(0, at + 1)).length > 0)
  const needed = told.slice(0, enough + 1).filter(isSent).length
  return { from: told[0]?.id ?? to, to, sent, needed, clauses }
}

const isSent = ({ inbound }: Exchange): boolean => inbound === undefined

function brokenIn<S>(
  told: readonly Exchange[],
  { dialect, notes }: Teller,
  { judges }: Exploration<S>,
): readonly string[] {
  const broken = Object.entries(judges).filter(([, judge]) => isAgainst(judge(told, { dialect, notes })))
  return broken.map(([clause]) => clause)
}
