/** A comparison as a document: the answer, whether to believe it, then each kind of change, what got worse first. */
import { pretty } from '../../bundle/text.ts'
import {
  clockTime,
  counted,
  plainWords,
  type Answer,
  type Block,
  type Card,
  type Words,
} from '../document/blocks.ts'
import { htmlOf } from '../document/html.ts'
import { markdownOf } from '../document/markdown.ts'
import { sectionsAsText } from '../document/text.ts'
import { reasons } from '../verdicts/reasons.ts'
import { isApart, standingOf, verdictWords } from '../verdicts/verdicts.ts'
import type { Change, ComparedRun, Comparison, Said } from './compare.ts'
import { changeKinds, kindWords, type ChangeKind, type Weight } from './kinds.ts'

export function renderDiff(
  comparison: Comparison,
  format: 'text' | 'markdown' | 'html' | 'json',
  { colour, width }: { colour: boolean; width: number },
): string {
  if (format === 'json') return pretty(comparison)
  const { before, after } = comparison
  const answer = changesAnswer(comparison)
  const about: Block = {
    fields: [
      ['earlier', sideWords(before)],
      ['later', sideWords(after)],
    ],
  }
  const head = [...(format === 'text' ? [] : simulated(comparison)), { answers: [answer] }, about]
  const heading = ['What changed: ', after.target]
  const full = format === 'text' ? '--format markdown, html or json' : '--format json'
  const sections = [
    { id: 'comparability', title: 'What the two runs share', blocks: comparability(comparison) },
    ...byKind(comparison).map(([kind, found]) => {
      const { sign, word } = kindWords[kind]
      const title = `${sign} ${word} (${found.length})`
      return { id: kind.replaceAll(' ', '-'), title, blocks: kindBlocks(kind, found) }
    }),
  ]
  if (format === 'text') return sectionsAsText({ head, sections }, { colour, width, full })
  if (format === 'markdown') return markdownOf({ heading, head, sections }, full)
  return htmlOf({ title: `${answer.word}: ${after.target}`, heading, head, sections })
}

/** For the report of the later run; `stops`: only what stops a gate. */
export function changesBlocks(comparison: Comparison, stops = false): readonly Block[] {
  const answer = changesAnswer(comparison)
  const kinds = byKind(comparison).filter(([kind]) => !stops || kindWords[kind].weight !== 'none')
  return [
    { words: [{ sign: answer.sign, says: answer.word, tone: answer.tone }, ': ', answer.detail, '.'] },
    { words: `Compared with ${sideWords(comparison.before)}.`, kind: 'soft' },
    ...(answer.blocks ?? []),
    ...comparability(comparison),
    ...kinds.flatMap(([kind, found]) => {
      const { sign, word, tone, means, weight } = kindWords[kind]
      const title: Words = [{ sign, says: word, tone }, ` ${found.length}: ${means}`]
      if (stops) return [{ words: title }, { items: found.map(lineOf), most: 10 }]
      const [, ...blocks] = kindBlocks(kind, found)
      return weight === 'none' ? [{ fold: title, blocks }] : [{ words: title }, ...blocks]
    }),
  ]
}

/** For the first screen of the later run. */
export function changesTile(changes: Comparison | undefined): Words {
  if (!changes) return { sign: '·', says: 'not compared', tone: 'quiet' }
  if (changes.obstacle !== null) return { sign: '–', says: 'not comparable', tone: 'doubt' }
  const weighing = (weight: Weight): number =>
    changes.changes.filter(({ kind, spared }) => !spared && kindWords[kind].weight === weight).length
  const [worse, less] = [weighing('worse'), weighing('less')]
  if (worse > 0) return { sign: '✗', says: `${worse} worse`, tone: 'bad' }
  if (less > 0) return { sign: '–', says: `${less} not tested now`, tone: 'doubt' }
  return { sign: '✓', says: 'nothing worse', tone: 'good' }
}

/** Such as `✗ something got worse`, with how much changed and what else is to be known. */
export function changesAnswer(comparison: Comparison): Answer {
  const { outcome, obstacle, changes, unchanged, before, after } = comparison
  const spared = changes.filter((one) => one.spared && kindWords[one.kind].weight !== 'none')
  const isSpared = outcome === 'same' && spared.length > 0
  const counts = countsOf(isSpared ? changes.filter((one) => !spared.includes(one)) : changes)
  const same = `${unchanged} as before`
  const isAsBefore = changes.every(({ kind, marks }) => kind === 'still failing' && marks.length === 0)
  const words = {
    worse: ['✗', 'something got worse', 'bad'],
    less: ['–', 'nothing got worse, and less was tested', 'doubt'],
    same: [
      '✓',
      isAsBefore ? 'nothing changed' : isSpared ? 'nothing that counts got worse' : 'nothing got worse',
      'good',
    ],
  } as const
  const [sign, word, tone] =
    obstacle === null ? words[outcome] : (['‼', `not comparable: ${obstacle}`, 'bad'] as const)
  const rest = 'What had not run by then was not tested and is listed below as'
  const blocks = [
    ...early('earlier', before, `${rest} gained or new.`),
    ...early('later', after, `${rest} coverage lost.`),
  ]
  const accepted = isSpared ? [`${countsOf(spared).join(' and ')} ${whySpared(spared)}`] : []
  const detail = [...accepted, counts.join(', '), same].filter((words) => words !== '').join('; ')
  return { question: 'Answer', sign, word, tone, detail, blocks }
}

const countsOf = (changes: readonly Change[]): readonly string[] =>
  byKind({ changes }).map(([kind, found]) => `${found.length} ${kindWords[kind].word}`)

const whySpared = (spared: readonly Change[]): string =>
  spared.some(({ after, area }) => after?.provisional === true || isApart({ area }))
    ? 'do not count'
    : `${spared.length === 1 ? 'is' : 'are'} accepted by the policy`

/** A run that says less than it planned to. */
function early(which: string, { ends }: ComparedRun, rest: string): readonly Block[] {
  if (ends === null) return []
  return [{ banner: `The ${which} run is not whole`, says: `${ends.replace(/\.$/, '')}. ${rest}` }]
}

/** For readers who were not there when it was run. */
function simulated({ after }: Comparison): readonly Block[] {
  if (after.kind !== 'simulator') return []
  return [{ banner: 'Simulator run', says: 'It says nothing about the live service.' }]
}

function comparability({ comparable }: Comparison): readonly Block[] {
  const differ = comparable.filter(({ same }) => !same)
  if (differ.length === 0)
    return [{ words: 'Both runs used the same contract, profile, target settings and policy.', kind: 'soft' }]
  const same = comparable.filter((one) => one.same).map(({ what }) => what)
  return [
    {
      caption: 'What is not the same in both runs may be why verdicts differ',
      columns: ['not the same', 'earlier', 'later', 'so'],
      table: differ.map(({ what, before, after, means }) => ({
        cells: [what, ...(isDigest(before) && isDigest(after) ? ['one', 'another'] : [before, after]), means],
      })),
    },
    ...(same.length > 0 ? [{ words: `The same: ${same.join(', ')}.`, kind: 'soft' } as const] : []),
  ]
}

const isDigest = (text: string): boolean => /^[0-9a-f]{16}$/.test(text)

function byKind({
  changes,
}: Pick<Comparison, 'changes'>): readonly (readonly [ChangeKind, readonly Change[]])[] {
  return changeKinds.flatMap((kind) => {
    const found = changes.filter((change) => change.kind === kind)
    return found.length === 0 ? [] : [[kind, found] as const]
  })
}

/** What says little gets a line for each change. */
function kindBlocks(kind: ChangeKind, found: readonly Change[]): readonly Block[] {
  const { means, weight } = kindWords[kind]
  const isLoud = weight !== 'none' || kind === 'observed behaviour changed'
  return [
    { words: means, kind: 'soft' },
    isLoud ? { cards: found.map(cardOf) } : { items: found.map(lineOf) },
  ]
}

function cardOf(change: Change): Card {
  const { sign, word, tone } = kindWords[change.kind]
  // What both runs said, by name.
  const { before, after, area, look, kind } = change
  const isOpen = kind === 'coverage lost' || kind === 'observation lost'
  const isAsBefore = after?.got !== undefined && before?.got === after.got
  const rows: readonly (readonly [string, Words])[] = [
    ['expected', after?.expected],
    ['actual', after?.got],
    ['before', isAsBefore || !before ? undefined : summaryOf(before)],
    ['now', after?.got !== undefined || !after ? undefined : summaryOf(after)],
    ['because', isOpen && !after ? 'the later run did not plan it' : undefined],
    ['standing', [after && standingOf({ ...after, area }), ...notesOf(change)].filter(Boolean).join('; ')],
    ['script', look && `${look}/repro.sh`],
  ]
  return {
    badge: { sign, says: word, tone },
    title: [
      { to: `#${change.subject}`, says: { code: change.check } },
      `  ${change.level}  ${stepOf(change)}`,
    ],
    blocks: [{ words: change.about }, { fields: rows.filter(([, value]) => plainWords(value) !== '') }],
    short: lineOf(change),
  }
}

const lineOf = (change: Change): Words => {
  const notes = notesOf(change).join('; ')
  return [{ code: change.check }, ` ${stepOf(change)}`, notes && ` (${notes})`]
}

/** Such as `staging 4.12.3, 2026-11-01 12:00:00 UTC, touchstone 0.1.0, seed 42, 762 checks`. */
function sideWords({ target, version, startedAt, tool, seed, checks, result }: ComparedRun): string {
  const what = version === undefined ? target : `${target} ${version}`
  const words = [what, clockTime(startedAt), tool, `seed ${seed}`, counted(checks, 'check'), result]
  return words.filter((word) => word !== undefined).join(', ')
}

/** Such as `✓ pass → ✗ fail`; one of them where both are the same. */
function stepOf({ before, after }: Change): string {
  return before?.verdict === after?.verdict ? verdictOf(after) : `${verdictOf(before)} → ${verdictOf(after)}`
}

function verdictOf(said?: Said): string {
  if (!said) return 'not there'
  const { sign, word } = verdictWords[said.verdict]
  return `${sign} ${word}`
}

function notesOf({ marks, spared }: Change): readonly string[] {
  return [...marks, ...(spared ? ['does not count'] : [])]
}

/** What a run recorded beside its verdict; nothing for a pass. */
function summaryOf({ verdict, reason, detail, expected, got }: Said): string | undefined {
  if (verdict === 'pass') return undefined
  if (got !== undefined) return `expected ${expected ?? 'nothing recorded'}, got ${got}`
  return [reason && reasons[reason].says, detail].filter(Boolean).join(' ') || undefined
}
