/** A report for a terminal. Colour repeats what signs and words say. */
import { styleText } from 'node:util'
import type { Finding, Run } from '../../bundle/record.ts'
import {
  curlLine,
  logLine,
  timelineOf,
  type FailureTimeline,
  type TimelineRow,
} from '../findings/exchanges.ts'
import type { Tone } from '../verdicts/verdicts.ts'
import { shorten, visibleLine, wrap } from '../visible.ts'
import { isEmpty, plainWords, toneOf, type Block, type Card, type Report, type Words } from './blocks.ts'

export interface TextOptions {
  /** Whether to use it is decided outside. */
  colour: boolean
  /** Columns of the terminal. */
  width: number
  /** What shows everything. */
  full: string
}

type Paint = (what: Tone | 'strong' | undefined, text: string) => string

interface Page extends TextOptions {
  paint: Paint
}

/** A terminal has no room for hundreds of them. */
const mostCards = 20
const mostItems = 20
const mostText = 400
const formats = { good: 'green', bad: 'red', doubt: 'yellow', quiet: 'gray', strong: 'bold' } as const

export function sectionsAsText(
  { head, sections }: Pick<Report, 'head' | 'sections'>,
  options: TextOptions,
): string {
  const { colour, width } = options
  const paint: Paint = (what, text) =>
    // The environment was asked already, so styleText must not ask again.
    colour && what && text !== '' ? styleText(formats[what], text, { validateStream: false }) : text
  const page = { ...options, paint, width: Math.min(Math.max(width, 40), 120) }
  const parts = [
    blocksOf(head, page),
    ...sections
      .filter(({ blocks }) => blocks.length > 0)
      .map(({ title, blocks }) =>
        [paint('strong', line(title)), blocksOf(blocks, page)].filter(Boolean).join('\n'),
      ),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function blocksOf(blocks: readonly Block[], page: Page, indent = ''): string {
  return blocks
    .map((block) => blockOf(block, page, indent))
    .filter(Boolean)
    .join('\n')
}

const line = (words: Words): string => visibleLine(shorten(plainWords(words), mostText))

/** What is a command to paste is never wrapped. */
function blockOf(block: Block, page: Page, indent: string): string {
  const { width, paint, full } = page
  if ('words' in block && block.kind === 'line')
    return paint(toneOf(block.words), visibleLine(plainWords(block.words)))
  if ('words' in block)
    return paint(
      block.kind === 'soft' ? 'quiet' : toneOf(block.words),
      hang(indent, line(block.words), width),
    )
  if ('banner' in block)
    return paint('doubt', hang(`${indent}! `, line([block.banner, ': ', block.says]), width))
  if ('answers' in block)
    return block.answers
      .map(({ sign, word, label = word, tone, detail, blocks = [] }) => {
        const plain = `${sign} ${visibleLine(label)}`
        const text = wrap(`${plain}  ${line(detail)}`, width - 2).join('\n  ')
        const rest = blocksOf(blocks, page, '  ')
        return `${paint(tone, plain)}${text.slice(plain.length)}${rest && `\n${rest}`}`
      })
      .join('\n')
  if ('fields' in block) {
    const longest = block.fields.map(([name]) => plainWords(name).length)
    const column = block.kind === 'wide' ? Math.min(24, Math.max(...longest)) : 8
    return block.fields
      .filter(([, value]) => !isEmpty(value))
      .map(([name, value]) => fieldOf(`${indent}${line(name).padEnd(column)}  `, value, width))
      .join('\n')
  }
  if ('tiles' in block) {
    const fields = block.tiles.map(({ name, value }) => [name, value] as const)
    return blockOf({ fields, kind: 'wide' }, page, indent)
  }
  if ('items' in block) return listed(block.items, block.most ?? mostItems, page, indent)
  if ('table' in block) return tableOf(block, page, indent)
  if ('code' in block) return block.code.map((one) => `${indent}  ${visibleLine(one)}`).join('\n')
  if ('cards' in block) {
    const rest = block.cards.length - mostCards
    const more = rest > 0 ? [paint('quiet', `and ${rest} more: see ${full}`)] : []
    return `\n${[...block.cards.slice(0, mostCards).map((card) => cardOf(card, page)), ...more].join('\n\n')}`
  }
  if ('fold' in block) {
    const title = paint(toneOf(block.fold) ?? 'strong', hang(indent, line(block.fold), width))
    return `${title}\n${blocksOf(block.blocks, page, `${indent}  `)}`
  }
  if ('exchanges' in block || 'filters' in block || 'picture' in block) return ''
  return evidenceOf(block.evidence, block.run, page)
}

function cardOf({ badge, title, blocks }: Card, page: Page): string {
  const { paint, width } = page
  const label = badge === undefined ? '' : `${badge.sign} `
  return `${paint(badge?.tone ?? 'strong', hang(label, line(title), width))}\n${blocksOf(blocks, page, '  ')}`
}

function fieldOf(label: string, value: Words, width: number): string {
  const isCommand = typeof value === 'object' && 'code' in value
  if (isCommand) return label + visibleLine(value.code)
  const lines = typeof value === 'object' && 'lines' in value ? value.lines : [value]
  return lines.map((one) => hang(label, line(one), width)).join('\n')
}

function listed(items: readonly Words[], most: number, { width, full, paint }: Page, indent: string): string {
  const shown = items.slice(0, most).map((item) => {
    const lines = shorten(plainWords(item), mostText).split('\n').map(visibleLine)
    return paint(toneOf(item), hang(`${indent}- `, lines.join('\n'), width))
  })
  const rest = items.length - most
  return [...shown, ...(rest > 0 ? [paint('quiet', `${indent}and ${rest} more: see ${full}`)] : [])].join(
    '\n',
  )
}

/** Numbers in columns; words with their heads before them. */
function tableOf(
  { table: rows, columns, numbers }: Extract<Block, { table: unknown }>,
  { paint, width }: Page,
  indent: string,
): string {
  if (!numbers)
    return rows
      .map(({ cells: [head, ...cells] }) => {
        const words = cells.filter((cell) => !isEmpty(cell)).map(line)
        return hang(`${indent}${line(head)}: `, words.join('; '), width)
      })
      .join('\n')
  const texts = [columns, ...rows.map(({ cells }) => cells)].map((row) =>
    row.map((cell) => (cell === 0 ? '·' : line(cell))),
  )
  const widths = columns.map((_, at) => Math.max(...texts.map((row) => row[at]?.length ?? 0)))
  return texts
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))),
    )
    .map((row, at) => indent + paint(at === 0 ? 'strong' : undefined, row.join('  ')))
    .join('\n')
}

/** A label, then text that is wrapped and stays in its own column. */
export function hang(label: string, text: string, width: number): string {
  const lines = wrap(text, width - label.length)
  return lines.map((one, index) => (index === 0 ? label : ' '.repeat(label.length)) + one).join('\n')
}

const mostExchanges = 8
/** Without citations, it is unknown which of them matter. */
const mostUncited = 4
/** Characters of the bar that shows when a request was in flight. */
const barWidth = 10
/** Characters: a longer line fills the screen, and is copied from the page. */
const longestCurl = 1_200
/** Columns before a body. */
const column = 20

/** A line or two each on one time axis, and the decisive one as a command. */
function evidenceOf(finding: Finding, { journal, record }: Run, { width, full }: Page): string {
  const rows = finding.cited ? mostExchanges : mostUncited
  const timeline = timelineOf(finding, journal, rows, width - column)
  if (timeline.rows.length === 0) return ''
  const decisive = timeline.rows.filter((row) => row.decisive).map(({ exchange }) => exchange)
  const logs = decisive.map((one) => logLine(one, record.target)).filter(Boolean)
  const sent = timeline.rows.filter(({ exchange }) => !exchange.inbound)
  const coded = sent.map((row) => ({ ...row, code: visibleLine(curlLine(row.exchange, record)) }))
  // What shows with a repeat needs to be sent as often.
  const curls = coded
    .filter(({ code }) => coded.some((one) => one.decisive && one.code === code))
    .map(({ code }) => code)
    .map(
      (code) => `  curl      ${code.length > longestCurl ? `${code.length} characters: see ${full}` : code}`,
    )
  return [
    '  exchanges',
    ...timeline.rows.flatMap((row) => rowLines(row, timeline, width)),
    ...(timeline.rest > 0 ? [`          +${timeline.rest} more: see ${full} or journal.ndjson`] : []),
    ...logs.map((one) => hang('  log       ', one, width)),
    ...curls,
  ].join('\n')
}

function rowLines(row: TimelineRow, { rows, concurrent }: FailureTimeline, width: number): readonly string[] {
  const { exchange, role, decisive, summary, sent, received, header } = row
  const mark = decisive && rows.length > 1 ? '→' : ' '
  const time = rows.length === 1 ? '' : concurrent ? inFlight(row, rows) : `+${Math.round(row.from)} ms  `
  const label = `${`  ${mark} ${String(exchange.id).padStart(4)}`.padEnd(8)}  `
  const body = (name: string, text: string): readonly string[] =>
    text === '' ? [] : [hang(`          ${name.padEnd(column - 10)}`, text, width)]
  return [
    hang(label, `${time}${role && `${role}: `}${summary}`, width),
    ...body('header', header),
    ...(exchange.inbound ? body('received', sent) : [...body('sent', sent), ...body('received', received)]),
  ]
}

/** Such as `   ├─────┤  12-61 ms  `: bars above one another show which requests overlapped. */
function inFlight({ from, to }: TimelineRow, rows: readonly TimelineRow[]): string {
  const end = Math.max(1, ...rows.map((row) => row.to))
  const at = (time: number): number => Math.round((time / end) * (barWidth - 1))
  const [first, last] = [at(from), at(to)]
  const bar = first === last ? '│' : `├${'─'.repeat(last - first - 1)}┤`
  return `${(' '.repeat(first) + bar).padEnd(barWidth)}  ${Math.round(from)}-${Math.round(to)} ms  `
}
