/** Writes the record of a run against a receiver, in the form of every run. */
import { areas, receiverAreas, type ClauseId } from '../../spec/index.ts'
import { toolOf } from '../engine/opening.ts'
import { answersFor } from '../engine/run-record.ts'
import { contractOf } from '../policy/clause-set.ts'
import type { Finding, Opening, RunRecord, StoryRecord } from '../record.ts'
import { receiverScenarios } from './index.ts'
import type { PlannedReceiver } from './plan.ts'
import type { Subject } from './subject.ts'
import { uncoveredOfReceivers } from './uncovered.ts'

interface Outcome {
  subject: Subject
  planned: PlannedReceiver
  opening: Opening
  endedAt: string
  found: readonly Finding[]
  stories: readonly StoryRecord[]
  used: RunRecord['used']
  warning: string | null
}

export function receiverOpening(
  { url, budgets }: Subject,
  run: Pick<Opening['run'], 'id' | 'seed' | 'startedAt'>,
  version: string,
): Opening {
  const { host, pathname, origin } = new URL(url)
  return {
    schemaVersion: 1,
    tool: toolOf(version, receiverScenarios),
    run: { ...run, profile: 'standard' },
    target: { name: `${host}${pathname}`, kind: 'receiver', baseUrl: origin },
    contract: contractOf(),
    budgets,
  }
}

export function receiverRecord(outcome: Outcome): RunRecord {
  const { subject, planned, found, stories, warning } = outcome
  const { endedAt, opening } = outcome
  const { contract } = opening
  const run = { ...opening.run, endedAt, lifecycle: lifecycleOf(found) }
  const judged = { findings: found, stories, plan: planned.plan, contract, run }
  const { findings, conformance, gate, exitCode } = answersFor(
    judged,
    receiverScenarios,
    subject.policy,
    run.endedAt,
  )
  const because = warning !== null && !gate.passed ? [warning, ...gate.because] : gate.because
  return {
    ...opening,
    run,
    plan: planned.plan,
    findings,
    stories,
    used: outcome.used,
    conformance,
    gate: { ...gate, because },
    exitCode,
    uncovered: uncoveredOfReceiver(),
  }
}

function lifecycleOf(found: readonly Finding[]): RunRecord['run']['lifecycle'] {
  const early = found.some(({ reason }) => reason === 'interrupted' || reason === 'budget-exhausted')
  return early ? 'interrupted' : 'finished'
}

/** Every clause of a receiver that no story judges, with the reason. */
export function uncoveredOfReceiver(): RunRecord['uncovered'] {
  const judged = new Set(Object.values(receiverScenarios).flatMap(({ judge }) => Object.keys(judge)))
  const all = receiverAreas.flatMap((area) => Object.keys(areas[area]) as ClauseId[])
  return all
    .filter((clause) => !judged.has(clause))
    .map((clause) => ({ clause, why: uncoveredOfReceivers[clause] ?? 'no story covers it' }))
}
