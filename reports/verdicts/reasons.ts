/** Why a check was not exercised, what its owner can do about it, and the entries of a policy that accept it. */
import type { Finding, LeftOut, NotExercisedReason, Run } from '../../bundle/record.ts'
import { visibleLine } from '../visible.ts'
import { isOfTraffic } from './verdicts.ts'

export interface Reason {
  says: string
  provide: string
}

export const reasons = {
  'state-not-provided': {
    says: 'The target file does not declare how to set up a state.',
    provide: 'Declare the state under `states` in the target file: fixture, control, http, exec or manual.',
  },
  'state-not-established': {
    says: 'A declared state could not be set up.',
    provide: 'Check what the target file names for the state: the fixture, the control or the hook.',
  },
  'state-mismatch': {
    says: 'The target file declares a state, and the responses show that the target is not in it.',
    provide: 'Correct what the target file declares for the state, at the place named below, or the target.',
  },
  'principal-missing': {
    says: 'No suitable credential was given.',
    provide: 'Add one of these credentials to the target file; `npx touchstone init` writes one.',
  },
  'receiver-unreachable': {
    says: 'Touchstone has no address that the target can deliver webhooks to.',
    provide: 'Declare `receiver` in the target file, with an address that reaches this machine.',
  },
  'effects-unknown': {
    says: 'It is unknown how often the receiver processed a delivery.',
    provide: 'Set `--effects` to a URL of the receiver that returns the number.',
  },
  'client-never-acted': {
    says: 'The client never did what a step asked for.',
    provide:
      'Leave what it cannot do out of --can. For the rest, let it take address, key and TOUCHSTONE_ACTION from the environment (with --driver, all of it from the line on standard input). If it did not end in time, run it alone.',
  },
  'never-seen': {
    says: 'No request or response of this run was of the kind that these checks need.',
    provide:
      'Nothing where another check judges the clause; else a larger profile, or more in the target file, produces them.',
  },
  'fixture-missing': {
    says: 'Test data that the check needs is missing on the target.',
    provide: 'Create it and name it in the target file.',
  },
  'feature-unsupported': {
    says: 'The target file declares that the target does not have it.',
    provide: 'Nothing, if that is correct; otherwise change `features` in the target file.',
  },
  'opt-in-required': {
    says: 'The check is slow, costly, destructive or writes, and was not allowed.',
    provide:
      'Allow it with `--opt-in slow,costly,destructive,writes`, or with `--allow-exec` where it runs a program.',
  },
  'budget-exhausted': {
    says: 'A limit of the run was reached first.',
    provide: 'Raise `--max-requests`, `--max-turns`, `--max-credits` or `--max-minutes`.',
  },
  'prerequisite-failed': {
    says: 'A prerequisite of the check was not met.',
    provide: 'Provide what is named below, or fix the failures first.',
  },
  'target-unavailable': {
    says: 'The target stopped responding.',
    provide: 'Look at the target and at what is in front of it, and run again.',
  },
  attested: {
    says: 'A person states that it was tested elsewhere; this run did not test it.',
    provide: 'Declare a state provider that a run can use, or expect this in the policy.',
  },
  'shard-missing': {
    says: 'The shard that was to test it is missing.',
    provide: 'Run that shard, and merge all of them.',
  },
  interrupted: { says: 'The run ended early.', provide: 'Run it again, to the end.' },
} as const satisfies Record<NotExercisedReason, Reason>

/** For a record that gives none, which only an older or a foreign one does. */
export const unnamedReason: Reason = {
  says: 'No reason was recorded.',
  provide: 'Run again with this version.',
}

/** In place of `never-seen`, of what others sent. */
const notInTraffic: Reason = {
  says: 'Nothing in the traffic could be judged by the rule.',
  provide:
    'Fix what is named below, record more, or cause it: run the client with `touchstone exec` and a situation, or test the service with `touchstone check`.',
}

/** In place of `client-never-acted`, of a program that is given all commands. */
const noSuchCommand: Reason = {
  says: 'The program sent nothing for a command.',
  provide:
    'Give its own words for the command with `--verb NAME=WORDS`. Of commands that it does not have, leave the scenarios out: name the others with `--only`.',
}

/** In place of `client-never-acted`, of a client that crashed. */
const endedFirst: Reason = {
  says: 'The client ended with an error before it sent anything.',
  provide: 'Run it alone, with the variables of the step, and fix what is named below.',
}

const isOfCommandLine = ({ scenario }: Pick<Finding, 'scenario'>): boolean =>
  scenario.startsWith('client-command-line')

export function reasonOf({ reason, detail = '', ...judged }: Finding): Reason {
  if (reason === 'never-seen' && isOfTraffic(judged)) return notInTraffic
  if (reason === 'client-never-acted' && isOfCommandLine(judged)) return noSuchCommand
  if (reason === 'client-never-acted' && detail.includes('; the client ended with ')) return endedFirst
  return reason === undefined ? unnamedReason : reasons[reason]
}

export const leftOutReasons = {
  selection: {
    says: 'The run was limited with `--only`.',
    provide: 'Run without `--only`, or with a wider pattern.',
  },
  profile: {
    says: 'They need a larger profile.',
    provide: 'Run with `--profile standard` or `--profile exhaustive`.',
  },
  'not-declared': {
    says: 'The target does not declare what its checks need.',
    provide: 'Declare it in the target file; `touchstone plan TARGET` lists what is missing.',
  },
  shard: {
    says: 'Its checks are in the other shards.',
    provide: 'Merge all shards with `touchstone merge`.',
  },
} as const satisfies Record<LeftOut['by'], Reason>

export interface Group {
  says: string
  provide: string
  findings: readonly Finding[]
  details: readonly string[]
}

export function groupsOf(findings: readonly Finding[]): readonly Group[] {
  const left = findings.filter(({ verdict }) => verdict === 'not-exercised')
  const groups = [...Map.groupBy(left, reasonOf)].map(([reason, findings]) => ({
    ...reason,
    findings,
    details: [...new Set(findings.flatMap(({ detail }) => detail ?? []))],
  }))
  return groups.toSorted((one, other) => other.findings.length - one.findings.length)
}

const mostReason = 70

export const howToAccept =
  'To test them, see "Not tested" and "Inconclusive". To accept them, add to `expectedNotExercised` of the policy:'

/** What stands below them when there are more. */
export const moreToAccept = (count: number): string =>
  `${count} more: \`touchstone baseline\` writes a policy with all of them`

/** The exit code of a gate that only misses results. */
const resultsMissing = 3

/** A line of YAML for each entry; none if the gate fails for something that has to be corrected first. */
export function entriesToAccept({ record: { findings, gate, exitCode, used } }: Run): readonly string[] {
  if (exitCode !== resultsMissing) return []
  const missing = new Set(gate.missing)
  const wanted = findings.filter((one) => missing.has(one.check) && !isOfClient(one))
  if (used.requests === 0 && wanted.every(({ reason }) => reason === 'client-never-acted')) return []
  const patterns = Map.groupBy(wanted, (finding) => {
    // The scenario if nothing of it has a result, or the area if that is so for several scenarios; otherwise the check.
    const { check, area, scenario } = finding
    const scenarios = new Set(wanted.filter((one) => one.area === area).map((one) => one.scenario))
    if (scenarios.size > 1 && findings.every((one) => one.area !== area || hasNoResult(one))) return area
    return findings.every((one) => one.scenario !== scenario || hasNoResult(one)) ? scenario : check
  })
  return [...patterns].map(([pattern, [first]]) => {
    const reason = first === undefined ? '' : whyExpected(first)
    return `- { pattern: ${pattern}, reason: ${JSON.stringify(reason)} }`
  })
}

/** What a client cannot do is no part of its --can, and what it did wrong is for it to correct. */
const isOfClient = (one: Finding): boolean =>
  /^client-(?!command-line)/.test(one.scenario) &&
  (one.reason === 'client-never-acted' || one.fingerprint !== undefined)

const hasNoResult = ({ verdict, reason }: Finding): boolean =>
  (verdict === 'not-exercised' || verdict === 'inconclusive') && reason !== 'target-unavailable'

/** What comes after a semicolon says what to do. */
function whyExpected({ detail, reason, verdict }: Finding): string {
  const [words = ''] = (detail ?? '').split(/[;\n]/)
  const text = visibleLine(words.trim() || (reason ?? verdict)).replaceAll('`', "'")
  return text.length > mostReason ? `${text.slice(0, mostReason).toWellFormed()}…` : text
}
