/** The first screen of a run: its answers, its counts, what it used, and what it was run with. */
import type { RunRecord } from '../../../reports/bundle/record.ts'
import { clockTime, duration } from '../../../reports/duration.ts'
import { originLine, sourceLine } from '../../../reports/run/origin-words.ts'
import { answerOf } from '../../../reports/run/scope.ts'
import { addressOf, kindOf } from '../../../reports/run/target-words.ts'
import { byArea, countsLine, tally } from '../../../reports/verdicts/tally.ts'
import { underTest } from '../../../reports/verdicts/under-test.ts'
import { verdictOrder, verdictWords } from '../../../reports/verdicts/verdicts.ts'
import { visibleLine } from '../../../reports/visible.ts'
import type { Fact, RunOverview, Usage, Words } from '../../../spec/types/show.ts'
import type { NamedRun } from '../named-runs.ts'
import type { OpenedRuns } from '../opened-runs.ts'
import { shownFacts, shownWords } from './words.ts'

export async function overviewOf(runs: OpenedRuns, run: NamedRun): Promise<RunOverview> {
  const { record, findings, ends } = runs.record(run)
  const { items, unreadable } = await runs.journal(run)
  const counts = tally(findings)
  return {
    id: run.id,
    folder: run.path,
    target: visibleLine(record.target.name),
    startedAt: record.run.startedAt,
    ends: ends ?? (record.run.lifecycle === 'finished' ? null : `The run was ${record.run.lifecycle}.`),
    conformance: shownWords(answerOf(record)),
    gate: gateWords(record),
    because: [...new Set([...record.gate.because, ...record.gate.stalePolicy])].map(visibleLine),
    exitCode: record.exitCode,
    counts: countsLine(findings),
    verdicts: verdictOrder.map((verdict) => ({
      verdict,
      words: shownWords(verdictWords[verdict]),
      count: counts[verdict],
    })),
    areas: [...byArea(findings)].map(([area, own]) => ({ area, checks: own.length, counts: tally(own) })),
    usage: usageOf(record),
    facts: runFacts(record),
    exchanges: items.length,
    unreadable: [...unreadable],
  }
}

const gateWords = ({ gate: { passed } }: RunRecord): Words =>
  passed
    ? { sign: '✓', word: 'passed', tone: 'good', means: 'The policy allows this result.' }
    : { sign: '✗', word: 'failed', tone: 'bad', means: 'The policy does not allow this result.' }

const units = { requests: 'requests', turns: 'turns', credits: 'credits', wallSeconds: 'seconds' } as const

function usageOf({ used, budgets }: RunRecord): Usage[] {
  return (Object.keys(units) as (keyof typeof units)[]).map((unit) => ({
    what: units[unit],
    used: used[unit],
    limit: budgets[unit],
  }))
}

function runFacts(record: RunRecord): Fact[] {
  const { run, target, tool, contract, used } = record
  const facts = shownFacts({
    target: kindOf(target),
    address: addressOf(target),
    'under test': underTest(target),
    started: clockTime(run.startedAt),
    took: duration(used.wallSeconds),
    by: [originLine(record), sourceLine(record)].filter(Boolean).join(', '),
    profile: run.profile,
    only: run.only.join(', '),
    'opt-in': run.optIn.join(', '),
    seed: String(run.seed),
    contract: `clauses of ${contract.revision}`,
    tool: `${tool.name} ${tool.version}, Node ${tool.node.replace(/^v/, '')}`,
    run: run.id,
  })
  return facts.map(({ name, value }) => ({ name, value: visibleLine(value) }))
}
