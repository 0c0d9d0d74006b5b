import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../assertions/exchange.testkit.ts'
import { fail, inconclusive, pass } from '../scenario/expect.ts'
import { asked } from '../assertions/turn.ts'
import type { Exchange } from '../wire/exchange.ts'
import { stopped } from '../scenario/ending.ts'
import { sequences, runModelTest, mostRequestsOf, type ModelTest } from './run-model-test.ts'
import { judgeSequences, type SequenceJudge, exploredOf, type Explored } from './sequences.ts'

/**
 * A lamp of ten switches, off at the beginning of a sequence; `breaks` returns whether it breaks, by the switches so
 * far.
 */
type Lamp = (switches: readonly number[]) => boolean

const extent = { runs: 60, longest: 10, shrinkRequests: 200, confirm: 4 }
const seeds = Array.from({ length: 20 }, (_, at) => at + 1)

const wholeLamp: SequenceJudge = (course) => {
  const bad = course.find(({ response }) => response?.status === 500)
  if (bad) return fail('a whole lamp', 'a broken one', bad)
  return course.length > 0 ? pass : inconclusive('nothing was switched')
}

interface ModelRun {
  explored: Explored
  exchanges: readonly Exchange[]
  notes: Record<string, string | number | boolean>
  thrown: unknown
}

async function runLamp(seed: number, lamp: Lamp, change: Partial<ModelTest<number>> = {}): Promise<ModelRun> {
  const exchanges: Exchange[] = []
  const notes: ModelRun['notes'] = {}
  const t = {
    pick: () => seed,
    exchanges: (since = 0) => exchanges.filter(({ id }) => id > since),
    dialect: {},
    notes,
    note: (name: string, value: string | number | boolean) => void (notes[name] = value),
  }
  const run = async (steps: readonly number[]): Promise<void> => {
    const done: number[] = []
    for (const at of steps) {
      done.push(at)
      exchanges.push(jsonAnswer({}, { request: { at }, status: lamp(done) ? 500 : 200 }))
    }
  }
  const course = sequences(fc.nat(9), extent)
  const exploration = { ...extent, sequence: course, run, judges: { 'RES-JSON': wholeLamp }, ...change }
  const thrown = await runModelTest(t, exploration).then(
    () => undefined,
    (error: unknown) => error,
  )
  const explored = exploredOf(notes)
  if (!explored) throw new Error('nothing was noted')
  return { explored, exchanges, notes, thrown }
}

/** The switches of the smallest sequence. */
function smallest({ explored: { failure }, exchanges }: ModelRun): readonly unknown[] | null {
  if (!failure) return null
  const shown = exchanges.filter(({ id }) => id >= failure.from && id <= failure.to)
  return shown.map((exchange) => asked(exchange)?.['at'])
}

const sevenAfterThree: Lamp = (done) => done.at(-1) === 7 && done.includes(3)
describe('a failure is made as small as it gets', () => {
  test('two steps in their order', async () => {
    for (const seed of seeds)
      expect(smallest(await runLamp(seed, sevenAfterThree)), `seed ${seed}`).toEqual([3, 7])
  })

  test('another failure met on the way does not take its place', async () => {
    const met = { first: false, other: false }
    const lamp: Lamp = (done) => sevenAfterThree(done) && (met.first = true)
    const short: SequenceJudge = ({ length }) =>
      met.first && length === 1 && (met.other = true) ? fail('two', 'one') : pass
    const result = await runLamp(3, lamp, { judges: { 'RES-JSON': wholeLamp, 'RES-RESPONSE': short } })
    expect(met.other).toBe(true)
    expect(smallest(result)).toEqual([3, 7])
  })
})

describe('the budget', () => {
  const budgets = [0, 1, 7, 40]
  test.each(budgets)('of %i requests for making it small is kept', async (shrinkRequests) => {
    for (const seed of seeds) {
      const { explored, exchanges } = await runLamp(seed, sevenAfterThree, { shrinkRequests })
      expect(explored.failure?.shrinking).toBeLessThanOrEqual(shrinkRequests)
      expect(exchanges.length).toBeLessThanOrEqual(mostRequestsOf({ ...extent, shrinkRequests }))
    }
  })

  test('a sequence that sends more requests than declared is an internal error', async () => {
    const { thrown } = await runLamp(1, () => false, { each: 0 })
    expect(String(thrown)).toContain('its extent allows 0')
  })
})

const ending = stopped('no credits are left')

test('a scenario that ends in the middle of the search ends as any scenario does, and no failure is made of it', async () => {
  const { explored, thrown } = await runLamp(1, () => {
    throw ending
  })
  expect(thrown).toBe(ending)
  expect(explored).toMatchObject({ runs: 1, failure: null })
})

const judge = ({ exchanges, notes }: ModelRun, one: SequenceJudge) =>
  judgeSequences(exchanges, { dialect: {}, notes }, one)

test('a judge fails for the smallest sequence, with one of its exchanges', async () => {
  const result = await runLamp(5, sevenAfterThree)
  expect(judge(result, wholeLamp)).toMatchObject({ is: 'fail', exchange: result.explored.failure?.to })
})
