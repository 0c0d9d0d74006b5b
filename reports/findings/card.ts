/** A finding in words, once for every report that people read. */
import { counterexampleFolder, quote } from '../bundle/curl.ts'
import type { Finding, Run } from '../bundle/record.ts'
import { simulateAgain, simulatorUrl } from '../bundle/simulate-again.ts'
import { badgeOf, counted, type Block, type Card, type Words } from '../document/blocks.ts'
import type { Beside } from '../formats/exporter.ts'
import { subjectOf } from '../run/words.ts'
import { levelNote, standingOf, verdictWords } from '../verdicts/verdicts.ts'
import { shorten } from '../visible.ts'
import { alike, causesOf, type Alike, type Cause } from './causes.ts'
import { checkAgain, replayAgain } from './check-again.ts'
import { clientSteps } from './client-steps.ts'

export interface CardContext {
  run: Run
  beside: Beside | undefined
  /** Where the files of the run are, for commands that are run elsewhere. */
  folder?: string | undefined
}

const mostInShort = 40
/** Failures that probably follow from another: a line each, and no more than this. */
const mostFollowing = 6

export const cardsOf = (findings: readonly Finding[], context: CardContext): readonly Card[] =>
  alike(findings).map((group) => cardOf(group, context))

function cardOf({ finding, also }: Alike, { run, beside, folder }: CardContext): Card {
  const { text, words } = subjectOf(finding.subject, run.record)
  const { check, level, basis, verdict, detail, title } = finding
  const standing = standingOf(finding)
  const [expected, actual] = fromDifference(finding.expected, finding.got)
  const suffix = [level.toUpperCase() + levelNote(finding), ...(standing ? [standing] : [])].join(', ')
  return {
    badge: badgeOf(finding),
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
          ['contract', words],
          ['basis', basis === 'stated' ? undefined : basis],
          ['also', also.length > 0 ? listed(also) : undefined],
          ['scenario', title],
          ['check', { code: check }],
          ['state', statesOf(finding)],
          ['client', { lines: clientSteps(finding, run) }],
        ],
      },
      { evidence: finding, run },
      { fields: reproduce(finding, run, beside, folder) },
    ],
    short: [
      clauseLink(finding.subject, check),
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

/** The smallest scenario of it where there is one, and the check alone. */
function reproduce(
  finding: Finding,
  run: Run,
  beside: Beside | undefined,
  folder = '',
): readonly (readonly [string, Words])[] {
  const { target } = run.record
  const own = counterexampleFolder(finding.check)
  const path = folder === '' ? own : `${folder}/${own}`
  const command = target.kind === 'receiver' ? undefined : { code: checkAgain(finding, run) }
  const again = ['rerun', command] as const
  if (finding.verdict !== 'fail' || beside?.files.has(`${own}/replay.json`) !== true) return [again]
  return [
    ['script', { code: `bash ${quote(Buffer.from(`${path}/repro.sh`))}` }],
    ['replay', { code: replayAgain(`${path}/replay.json`, target) }],
    again,
  ]
}

/** Failures by what probably causes them, for where not each can be shown. */
export function causeCards(
  found: readonly Finding[],
  rows: readonly Finding[],
  context: CardContext,
): readonly Card[] {
  return causesOf(found, rows).map(({ direct, title, follows }: Cause) => {
    const card = cardOf(direct, context)
    if (follows.length === 0) return card
    const fault = title && `probably: ${title} A simulator with this fault fails the same checks.`
    const lines = follows.map(({ finding, also }): Words => {
      const seen = shorten(finding.got ?? finding.detail ?? '?', 120)
      return [
        { sign: verdictWords[finding.verdict].sign, says: listed([finding.subject, ...also]), tone: 'bad' },
        `  ${finding.scenario}: actual ${seen}`,
      ]
    })
    const more: readonly Block[] = [
      { fields: [['cause', fault ?? undefined]] },
      { fold: `${follows.length} more may follow from it`, blocks: [{ items: lines, most: mostFollowing }] },
    ]
    return { ...card, blocks: [...card.blocks, ...more] }
  })
}

/** How to have such a simulator again, for the commands of its failures. */
export function startBlocks({ record }: Run): readonly Block[] {
  const start = simulateAgain(record.target)
  if (start === null) return []
  const then = `then export BASE_URL=${simulatorUrl} API_KEY=… AGENT_ID=… (as it prints them)`
  return [{ fields: [['start', { code: start }]] }, { words: then }]
}

/** One line for a summary. */
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

/**
 * Returns both texts; if both are long and begin alike, with `▸` where they first differ, and without the beginning
 * that both have.
 */
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
