/**
 * What changed, for the page of a CI job or a comment on a pull request. Cut well before the limit of the shorter of
 * the two, between lines, and what stops a gate comes first.
 */
import { shorten, visibleLine } from '../visible.ts'
import type { Change, Comparison } from './compare.ts'
import { kindWords } from './kinds.ts'
import type { ChangeKind } from './kinds.ts'
import {
  changedAnswerOf,
  byKind,
  cautions,
  countsOf,
  fieldsOf,
  comparisonNotes,
  sideWords,
  simulatorWords,
  stepOf,
} from './words.ts'

/** Bytes. A comment on a pull request takes 65,536 characters, the page of a CI job 1 MiB. */
export const mostMarkdownBytes = 60_000
const mostText = 300
/** Of a kind; of good and quiet news fewer say it. */
const most: Readonly<Record<string, number>> = { worse: 50, less: 50, none: 20 }

export function renderDiffMarkdown(comparison: Comparison): string {
  const { sign, words } = changedAnswerOf(comparison)
  return cut([
    `## ${sign} ${plain(words)}`,
    '',
    ...(simulatorWords(comparison) === '' ? [] : [`> ${simulatorWords(comparison)}`, '']),
    countsOf(comparison),
    ...cautions(comparison).flatMap((caution) => ['', `> **${plain(caution)}**`]),
    ...comparability(comparison),
    ...byKind(comparison).flatMap(([kind, found]) => section(kind, found)),
    '',
    `earlier: ${plain(sideWords(comparison.before))}`,
    '',
    `later: ${plain(sideWords(comparison.after))}`,
    '',
  ])
}

/** For the summary of a run: the answer, and what stops a gate. */
export function sinceSection(comparison: Comparison): readonly string[] {
  const { sign, words } = changedAnswerOf(comparison)
  const stops = byKind(comparison).filter(([kind]) => kindWords[kind].weight !== 'none')
  return [
    '',
    `### ${sign} Since ${plain(comparison.before.startedAt)}: ${plain(words)}`,
    '',
    countsOf(comparison),
    ...cautions(comparison).flatMap((caution) => ['', `> **${plain(caution)}**`]),
    ...comparability(comparison),
    ...stops.flatMap(([kind, found]) => [
      '',
      `${kindWords[kind].sign} **${kindWords[kind].word}** (${found.length}):`,
      '',
      ...found.slice(0, 10).map((change) => `- ${plain(change.check)}: ${stepOf(change)}`),
      ...(found.length > 10 ? [`- and ${found.length - 10} more: see changes.json`] : []),
    ]),
  ]
}

function comparability({ comparable }: Comparison): readonly string[] {
  const differ = comparable.filter(({ same }) => !same)
  if (differ.length === 0) return ['', 'Both runs used the same contract, profile and target settings.']
  const rows = differ.map(
    ({ what, before, after, means = '' }) =>
      `| ${what} | ${cell(before)} | ${cell(after)} | ${means.replaceAll('|', '\\|')} |`,
  )
  return ['', '| not the same | earlier | later | so |', '| --- | --- | --- | --- |', ...rows]
}

function section(kind: ChangeKind, found: readonly Change[]): readonly string[] {
  const { sign, word, means, weight } = kindWords[kind]
  const isLoud = weight !== 'none' || kind === 'observed behaviour changed'
  const shown = found.slice(0, most[weight])
  const rest = found.length - shown.length
  return [
    '',
    `### ${sign} ${word} (${found.length})`,
    '',
    means,
    '',
    ...shown.flatMap((change) => (isLoud ? card(change) : [line(change)])),
    ...(rest > 0 ? [`- and ${rest} more: see --format json`] : []),
  ]
}

function line(change: Change): string {
  const notes = comparisonNotes(change).join('; ')
  return notes === '' ? step(change) : `${step(change)} (${plain(notes)})`
}

function step({ check, level, ...change }: Change): string {
  return `- **${plain(check)}** (${plain(level)}): ${stepOf(change)}`
}

function card(change: Change): readonly string[] {
  const fields = fieldsOf(change).map(([name, value]) => `  - ${name}: ${plain(shorten(value, mostText))}`)
  return [step(change), `  - clause: ${plain(change.about)}`, ...fields]
}

/** What a target sent is text, whatever signs it has. */
function plain(text: string): string {
  return visibleLine(text).replace(/[\\`*_{}[\]<>()#+!|~@&]/g, (sign) =>
    sign === '<' ? '&lt;' : `\\${sign}`,
  )
}

function cell(text: string): string {
  return plain(shorten(text, 80))
}

function cut(lines: readonly string[]): string {
  const kept: string[] = []
  let bytes = 0
  for (const [at, line] of lines.entries()) {
    bytes += Buffer.byteLength(line) + 1
    if (bytes > mostMarkdownBytes)
      return `${kept.join('\n')}\n\n… ${lines.length - at} more lines: see --format json\n`
    kept.push(line)
  }
  return kept.join('\n')
}
