/** What both runs have to share before a difference in verdicts can be attributed to the target. */
import type { Run, Verdict } from '../bundle/record.ts'
import { patterns } from '../run/scope.ts'
import { addressOf, kindOf } from '../run/target-words.ts'

export interface Sameness {
  what: string
  before: string
  after: string
  same: boolean
  /** What it means for reading the rest, where it is not the same. */
  means?: string
}

interface Question {
  read: (run: Run) => string
  /** Where nobody wrote it down, nothing is known. */
  means: string
}

const digits = 16
const rejudge =
  'judge the earlier run again with the later version (`touchstone rejudge EARLIER --out ANOTHER`) and compare that'

const questions = {
  contract: {
    read: ({ record }) => record.contract.revision,
    means: 'another set of clauses counts: a check may be provisional in one run and count in the other.',
  },
  clauses: {
    read: ({ record }) => short(record.contract.digest),
    means: 'the clauses themselves differ, or their levels: a verdict may differ because of the set.',
  },
  version: {
    read: ({ record }) => `${record.tool.name} ${record.tool.version}`,
    means: `the judges changed: what differs below may come from us; ${rejudge}.`,
  },
  suite: {
    read: ({ record }) => short(record.tool.suite),
    means: `the suite has other checks: what is new or gone below may come from us; ${rejudge}.`,
  },
  'target file': {
    read: ({ record }) => (record.target.fileDigest === undefined ? 'none' : short(record.target.fileDigest)),
    means: 'something else was declared of the target: what was exercised may differ because of that alone.',
  },
  target: {
    read: ({ record }) => nameAndPlace(record.target),
    means: 'another target, or another address of it: this compares two services, not two states of one.',
  },
  'kind of target': {
    read: ({ record }) => kindOf(record.target),
    means: 'a simulator says nothing about a live service, and a staging system little about production.',
  },
  profile: {
    read: ({ record }) => record.run.profile,
    means: 'another part of the suite was chosen: checks of one profile alone are new or gone below.',
  },
  selection: {
    read: ({ record }) => patterns(record.run.only) || 'everything',
    means: 'other checks were asked for by `--only`: what is new or gone below may come from that alone.',
  },
  'opt-ins': {
    read: ({ record }) => record.run.optIn.toSorted().join(', ') || 'none',
    means: 'something else was allowed: checks that need it were exercised in one run alone.',
  },
  'chosen checks': {
    read: ({ record }) => `${record.plan.checks.length} checks, ${short(record.plan.digest)}`,
    means: 'other checks were planned, by profile, by `--only`, by the target file or by the suite.',
  },
} as const satisfies Record<string, Question>

/** In the order of the table above; both values where they differ and where they do not. */
export function samenesses(before: Run, after: Run): readonly Sameness[] {
  return Object.entries(questions).map(([what, { read, means }]) => {
    const [one, other] = [read(before), read(after)]
    const same = one === other
    return { what, before: one, after: other, same, ...(same ? {} : { means }) }
  })
}

/** Why the two cannot be held against each other at all, in words; null where they can. */
export function obstacleOf(before: Run, after: Run): string | null {
  const [one, other] = [before.record.target.kind, after.record.target.kind]
  if (wordFor(one) !== wordFor(other))
    return `the earlier run judged a ${wordFor(one)}, the later one a ${wordFor(other)}`
  const planned = new Set(before.record.plan.checks.map(({ check }) => check))
  const shared = after.record.plan.checks.some(({ check }) => planned.has(check))
  if (!shared) return 'the two runs have no check in common'
  return [before, after].some(judgedAnything) ? null : 'neither run judged anything'
}

const unjudged: readonly Verdict[] = ['inconclusive', 'not-exercised', 'error']

/** To find nothing twice is not to find the same. */
function judgedAnything({ record }: Run): boolean {
  return record.findings.some(({ verdict }) => !unjudged.includes(verdict))
}

function wordFor(kind: string): string {
  if (kind === 'client') return 'client'
  return kind === 'receiver' ? 'webhook receiver' : 'service'
}

/** A simulator is started for the run, at a port of its own. */
function nameAndPlace(target: Run['record']['target']): string {
  const address = addressOf(target)
  return target.kind === 'simulator' || address === null ? target.name : `${target.name} at ${address}`
}

function short(digest: string): string {
  return digest.slice(0, digits)
}
