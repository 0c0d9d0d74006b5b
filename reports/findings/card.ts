/** A finding in words, once for every report that people read, and the commands that run it again. */
import type { StepResult } from '../../bundle/client-report.ts'
import { quoteText, ownCommand, simulateAgain } from '../../bundle/curl.ts'
import type { Finding, Run, RunRecord, StartedBy } from '../../bundle/record.ts'
import { badge, badgeOf, counted, type Block, type Card, type Words } from '../document/blocks.ts'
import { sectionsAsText } from '../document/text.ts'
import { subjectOf } from '../run/words.ts'
import { reasonOf } from '../verdicts/reasons.ts'
import {
  isOfTraffic,
  levelNote,
  marksOf,
  standingOf,
  verdictWords,
  verdictWordsOf,
} from '../verdicts/verdicts.ts'
import { shorten } from '../visible.ts'
import { adviceOf, alike, causesOf, type Alike, type Cause } from './causes.ts'
import { runLengths } from './exchanges.ts'

const basisWords: Readonly<Partial<Record<Finding['basis'], string>>> = {
  implied: 'implied by the contract, not stated',
  standard: 'standard',
  advised: 'advised',
  silent: 'silent',
}

const mostInShort = 40
/** Failures that probably follow from another: a line each, and no more than this. */
const mostFollowing = 6

export const cardsOf = (findings: readonly Finding[], run: Run): readonly Card[] =>
  alike(findings).map((group) => cardOf(group, run))

function cardOf({ finding, also }: Alike, run: Run): Card {
  const { text, words } = subjectOf(finding.subject, run.record)
  const { check, level, basis, verdict, detail, title } = finding
  const standing = standingOf(finding)
  const { cause, fix } = adviceOf(finding, run)
  const code = reproduceOf(finding, run)
  const [expected, actual] = fromDifference(finding.expected, finding.got)
  const suffix = [level.toUpperCase() + levelNote(finding), ...(standing ? [standing] : [])].join(', ')
  return {
    // Its marks are in the title.
    badge: badge(verdict, [finding]),
    title: [clauseLink(finding.subject), `  ${suffix}`],
    blocks: [
      { words: text },
      {
        fields: [
          ['expected', expected],
          ['actual', actual],
          ['detail', detail],
        ],
        tone: verdictWords[verdict].tone,
      },
      {
        fields: [
          ['cause', cause === null ? undefined : `probably: ${cause}`],
          ['fix', fix ?? undefined],
          ['contract', words],
          ['basis', basisWords[basis]],
          ['also', also.length > 0 ? listed(also) : undefined],
          [isOfTraffic(finding) ? 'rule' : 'scenario', title],
          ['check', { code: check }],
          ['state', statesOf(finding)],
          ['client', { lines: clientSteps(finding, run) }],
        ],
      },
      { evidence: finding, run },
      { fields: [['reproduce', code === null ? undefined : { code }]] },
    ],
    short: [
      [clauseLink(finding.subject, check), ...marksOf(finding).map((mark) => `, ${mark}`)],
      also.length > 0 ? ` and ${also.length} more` : '',
      `: expected ${shorten(expected ?? 'nothing', mostInShort)}; actual ${shorten(actual ?? detail ?? 'nothing', mostInShort)}`,
    ],
  }
}

/** Leads to the row of a clause, where there is one. */
export const clauseLink = (subject: string, words = subject): Words => ({
  to: `#${subject}`,
  says: { code: words },
})

/** What the target had to be in first, which a request alone does not show. */
export const statesOf = ({ states }: Finding): string | undefined =>
  states.length > 0 ? states.map(({ state, by }) => `${state} by ${by}`).join(', ') : undefined

export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 12).join(' ')
  return names.length > 12 ? `${shown} and ${names.length - 12} more` : shown
}

/** Failures by what probably causes them; `inFull`: with a card for each, else with a line. */
export function causeCards(
  found: readonly Finding[],
  rows: readonly Finding[],
  run: Run,
  inFull = false,
): readonly Card[] {
  return causesOf(found, rows, run).map(({ direct, follows }: Cause) => {
    const card = cardOf(direct, run)
    if (follows.length === 0) return card
    const lines = follows.map(({ finding, also }): Words => {
      const seen = shorten(finding.got ?? finding.detail ?? '?', 120)
      return [
        { sign: verdictWords[finding.verdict].sign, says: listed([finding.subject, ...also]), tone: 'bad' },
        `  ${finding.scenario}: actual ${seen}`,
      ]
    })
    const cards = inFull ? follows.map((one) => cardOf(one, run)) : []
    const more = counted(follows.length, 'related failure')
    return {
      ...card,
      blocks: [
        ...card.blocks,
        { fold: more, blocks: [inFull ? { cards } : { items: lines, most: mostFollowing }] },
      ],
    }
  })
}

/** How to have such a simulator again, for the commands of its failures. */
export function startBlocks({ record }: Run): readonly Block[] {
  const start = simulateAgain(record)
  if (start === null) return []
  return [
    { words: 'To repeat these failures, start this simulator, and export what it prints:' },
    { fields: [['start', { code: start }]] },
  ]
}

export function lineOf({ finding, also }: Alike, { record }: Run, most: number): Words {
  const { subject, got, detail } = finding
  const actual = got ?? detail
  return [
    badgeOf(finding),
    ' ',
    clauseLink(subject),
    also.length > 0 ? ` (${counted(also.length, 'more clause')})` : '',
    `: ${shorten(subjectOf(subject, record).text, most)}`,
    actual === undefined ? '' : ` Actual: ${shorten(actual, most)}`,
  ]
}

/** Characters that both may begin with before the beginning is left out. */
const mostAlike = 40
/** Characters of the common beginning that stay. */
const lead = 20
/** Shorter texts are compared at a glance. */
const long = 40

/** Both texts; long ones that begin alike without that beginning, with `▸` where they first differ. */
export function fromDifference(
  expected: string | undefined,
  got: string | undefined,
): readonly [string | undefined, string | undefined] {
  if (expected === undefined || got === undefined || expected === got) return [expected, got]
  let at = 0
  while (at < expected.length && expected[at] === got[at]) at++
  if (/^[\udc00-\udfff]/.test(expected.slice(at, at + 1))) at--
  if (at < lead || Math.min(expected.length, got.length) < long) return [expected, got]
  return [marked(expected, at), marked(got, at)]
}

function marked(text: string, at: number): string {
  const [before, rest] = [text.slice(0, at), text.slice(at)]
  if (at < mostAlike) return `${before}▸${rest}`
  return `… (${at - lead} equal characters) ${before.slice(at - lead).toWellFormed()}▸${rest}`
}

/** One line: of a failure what was expected and got, of anything else its verdict with the reason. */
export function messageOf(finding: Finding): string {
  const { verdict, reason, detail } = finding
  const difference = `expected ${finding.expected ?? 'nothing recorded'}, got ${finding.got ?? 'nothing recorded'}`
  if (verdict === 'fail') return [standingOf(finding), difference].filter(Boolean).join(': ')
  const standing = verdict === 'inconclusive' ? standingOf(finding) : undefined
  const why = reason === undefined ? standing : reasonOf(finding).says
  return [verdictWordsOf([finding])[verdict].word, why, detail].filter(Boolean).join(': ')
}

export function cardText(finding: Finding, run: Run): string {
  const { title, blocks } = cardOf({ finding, also: [] }, run)
  return sectionsAsText(
    { head: [{ words: title }, ...blocks], sections: [] },
    { colour: false, width: 120, full: 'report.html' },
  )
}

/** The line that repeats the check. Null if only its owner can, such as of recorded traffic. */
export function reproduceOf(
  { check, scenario, evidence: [first], cited: [other] = [] }: Finding,
  { record, journal }: Run,
): string | null {
  const { run, target } = record
  const { start, words } = run.origin?.command ?? startOf(record)
  if (target.kind === 'traffic' || words.length === 0) return null
  // What is judged, or explains it, may have been sent by another scenario.
  const sender = journal.find(({ id }) => id === (other?.exchange ?? first))?.scenario ?? scenario
  const only =
    target.kind !== 'client' && ![scenario, 'preflight'].includes(sender) ? `${sender},${check}` : check
  const end = words.indexOf('--')
  const [own, others] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end)]
  return [start, ...own.map(quoteText), `--only '${only}' --seed ${run.seed}`, ...others.map(quoteText)].join(
    ' ',
  )
}

/** Of a run that no command line started. */
function startOf({ run, target }: RunRecord): Pick<StartedBy, 'start' | 'words'> {
  const { kind, client, arguments: named = ['TARGET.yaml'] } = target
  const as = client === undefined || client.as === 'client' ? [] : ['--as', client.as]
  const profile = run.profile === 'standard' ? [] : ['--profile', run.profile]
  const words =
    kind === 'receiver'
      ? []
      : kind === 'client'
        ? ['client', ...as, '--', 'COMMAND']
        : ['check', ...named, ...profile]
  return { start: ownCommand, words }
}

export const commandOf = ({ target: { kind } }: Pick<RunRecord, 'target'>): string =>
  kind === 'client' || kind === 'receiver' ? kind : kind === 'traffic' ? 'judge' : 'check'

const stepPrefix = 'step '
/** Characters of stderr, so that the line fits the width of a report. */
const longestStderr = 280

/** In the order run; empty for a target that is not a client. */
export function clientSteps(
  finding: Pick<Finding, 'scenario'>,
  { record }: Pick<Run, 'record'>,
): readonly string[] {
  if (record.target.kind !== 'client') return []
  const notes = record.scenarioRuns.find(({ scenario }) => scenario === finding.scenario)?.notes ?? {}
  return Object.entries(notes).flatMap(([name, note]) => {
    if (!name.startsWith(stepPrefix) || typeof note !== 'string') return []
    const step = name.slice(stepPrefix.length)
    const more = notes[`not recorded of ${step}`]
    return [`${stepLine(step, note)}${more === undefined ? '' : `; not recorded: ${more}`}`]
  })
}

function stepLine(step: string, note: string): string {
  const { ended, exitCode, reported, stderr } = JSON.parse(note) as StepResult
  const how = {
    exit: `ended with ${exitCode === null ? 'a signal' : `exit code ${exitCode}`}`,
    done: 'done',
    timeout: 'stopped at the time limit of the step',
    lost: 'the driver exited',
  }[ended]
  const kinds = runLengths(reported.map(({ saw }) => saw)).join(', ')
  // The end of stderr in one line, without lines that only underline another.
  const lines = stderr.split('\n').map((line) => line.trim())
  const text = lines.filter((line) => /[^\s^~]/.test(line)).join(' | ')
  const output = text.length > longestStderr ? `…${text.slice(-longestStderr)}` : text
  return `${step}: ${how}${shorten(kinds && `, reported ${kinds}`, 100)}${output && `; stderr: ${output}`}`
}
