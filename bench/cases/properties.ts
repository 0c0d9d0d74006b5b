/**
 * Property-based tests over random sequences of five turns. Ours run as a model-based scenario, recorded and judged by
 * clause; theirs are the shortest test with fast-check and undici. Both use the same simulator, in its own process.
 */
import * as fc from 'fast-check'
import { Agent } from 'undici'
import { bareTarget, scenario, type Target } from '../../suites/index.ts'
import { runServerUnredacted } from '../../suites/runner/drivers/server.ts'
import { sequences, runModelTest, mostRequestsOf } from '../../suites/models/run-model-test.ts'
import { overSequences, type SequenceJudge } from '../../suites/models/sequences.ts'
import { every } from '../../suites/scenario/expect.ts'
import { asJson } from '../../suites/assertions/turn.ts'
import { startChild } from '../processes/child.ts'
import { rowOf, type BenchRow } from '../figures.ts'
import { interleave, type Effort, type BenchSide } from '../measure.ts'
import type { RunningSimulator } from '../processes/simulator-child.ts'
import { withAutoStop } from '../processes/auto-stop.ts'

const steps = 5
const longestMessage = 500

/** Lengths of messages. */
const lengths = fc.nat(longestMessage - 1)

const messageOf = (length: number): string => 'm'.repeat(length + 1)

const perSecond = (requests: number, began: number): number =>
  (1_000 * requests) / (performance.now() - began)

function propertyScenario(runs: number) {
  const extent = { runs, longest: steps, shrinkRequests: 0, confirm: 0 }
  const answersJson: SequenceJudge = (sequence) => every(sequence, asJson)
  const judges = { 'RES-JSON': answersJson }
  return scenario({
    title: 'any turn is answered with JSON',
    exchanges: ['turns[]'],
    cost: { requests: mostRequestsOf(extent), turns: mostRequestsOf(extent) },
    run: (t) =>
      runModelTest(t, {
        ...extent,
        sequence: sequences(lengths, { shortest: steps, longest: steps }),
        judges,
        async run(sequence) {
          for (const length of sequence) await t.add('turns', { message: messageOf(length) })
        },
      }),
    judge: overSequences<'turns[]', 'RES-JSON'>(judges, ({ turns }) => turns),
  })
}

function unlimitedTarget({ url, key, agent }: RunningSimulator): Target {
  const target = bareTarget({ baseUrl: url, apiKey: key, agent })
  const enough = 1e9
  const budgets = { ...target.budgets, requests: enough, turns: enough, credits: enough }
  return { ...target, budgets: { ...budgets, requestsPerMinute: enough } }
}

function ours(running: RunningSimulator, runs: number): BenchSide {
  const target = unlimitedTarget(running)
  const scenarios = { modelBased: propertyScenario(runs) }
  let seed = 0
  return {
    name: 'a model-based scenario',
    async once() {
      const began = performance.now()
      const { record, journal } = await runServerUnredacted(target, { scenarios, seed: (seed += 1) })
      const rate = perSecond(journal.length, began)
      const [finding] = record.findings
      if (finding?.verdict !== 'pass' || journal.length < runs * steps)
        throw new Error(`the scenario ended ${finding?.verdict} after ${journal.length} requests`)
      return rate
    },
  }
}

function theirs({ url, key, agent }: RunningSimulator, runs: number): BenchSide {
  const dispatcher = new Agent({ connections: 1, pipelining: 1, allowH2: false })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  let sent = 0
  const turn = async (message: string): Promise<boolean> => {
    const body = JSON.stringify({ message, idempotency_key: `plain-${(sent += 1)}` })
    const path = `/api/v1/chat/${agent}`
    const answer = await dispatcher.request({ origin: url, path, method: 'POST', headers, body })
    const reply = (await answer.body.json()) as { response?: unknown }
    return answer.statusCode === 200 && typeof reply.response === 'string'
  }
  const answered = fc.asyncProperty(
    fc.array(lengths, { minLength: steps, maxLength: steps }),
    async (sequence) => {
      for (const length of sequence) if (!(await turn(messageOf(length)))) return false
      return true
    },
  )
  return {
    name: 'fast-check and undici',
    async once() {
      const before = sent
      const began = performance.now()
      await fc.assert(answered, { numRuns: runs, endOnFailure: true })
      return perSecond(sent - before, began)
    },
  }
}

export function properties({ rounds, quick }: Effort): Promise<readonly BenchRow[]> {
  const runs = quick ? 100 : 400
  return withAutoStop(async (autoStop) => {
    const { ready } = await autoStop(startChild<RunningSimulator>('bench/processes/simulator-child.ts'))
    const [modelBased, plain] = await interleave([ours(ready, runs), theirs(ready, runs)], rounds)
    const question = {
      id: 'properties/fast-check',
      what: 'property runs, recorded and judged',
      unit: 'requests/s',
      better: 'higher',
    } as const
    return [rowOf(question, modelBased, plain)]
  })
}
