/**
 * A report in Markdown, for the page of a CI job or a comment on a pull request. Such pages turn `@name`, `#12`,
 * `group/project!3` and addresses into links and notes to people, and a backslash stops none of them: a word that is
 * more than a word stands in a code span.
 */
import { evidenceOf, nameOf, summary } from '../findings/exchanges.ts'
import { shorten, visibleLine } from '../visible.ts'
import { isEmpty, isList, present, type Block, type Card, type Report, type Words } from './blocks.ts'

/** Bytes. A comment on a pull request takes 65,536 characters, the page of a CI job 1 MiB. */
export const mostMarkdownBytes = 60_000
const mostText = 300
const mostItems = 20
const mostCards = 100

/** `full`: what shows everything. Cut between lines, so what matters most comes first. */
export function markdownOf(report: Omit<Report, 'title'>, full: string): string {
  const { heading, head, sections, foot } = report
  const parts = [
    `## ${inline(heading)}`,
    ...head.map((block) => blockOf(block, full)),
    ...sections
      .filter(({ blocks }) => blocks.length > 0)
      .flatMap(({ title, blocks }) => [
        `### ${inline(title)}`,
        ...blocks.map((block) => blockOf(block, full)),
      ]),
    inline(foot),
  ]
  const lines = `${parts.filter((part) => part !== '').join('\n\n')}\n`.split('\n')
  const kept: string[] = []
  let bytes = 0
  for (const [at, one] of lines.entries()) {
    bytes += Buffer.byteLength(one) + 1
    if (bytes > mostMarkdownBytes)
      return `${kept.join('\n')}\n\n… ${lines.length - at} more lines: see ${full}\n`
    kept.push(one)
  }
  return kept.join('\n')
}

function blockOf(block: Block, full: string): string {
  if ('words' in block) return inline(block.words)
  if ('banner' in block) return `> **${inline(block.banner)}.** ${inline(block.says)}`
  if ('answers' in block)
    return block.answers
      .map(({ sign, word, label = word, detail, blocks = [] }) =>
        [`${sign} **${inline(label)}** ${inline(detail)}`, ...blocks.map((one) => blockOf(one, full))].join(
          '\n\n',
        ),
      )
      .join('\n\n')
  if ('fields' in block) return fieldsOf(block.fields).join('\n')
  if ('tiles' in block) return fieldsOf(block.tiles.map(({ name, value }) => [name, value])).join('\n')
  if ('items' in block)
    return listed(
      block.items.map((item) => `- ${inline(item)}`),
      block.most ?? mostItems,
      full,
    )
  if ('table' in block) return tableOf(block)
  if ('code' in block) return fenced(block.code, block.language)
  if ('cards' in block)
    return listed(
      block.cards.map((card) => cardOf(card, full)),
      mostCards,
      full,
    )
  if ('fold' in block)
    return [`**${inline(block.fold)}**`, ...block.blocks.map((one) => blockOf(one, full))].join('\n\n')
  if ('exchanges' in block || 'filters' in block || 'picture' in block) return ''
  const { shown } = evidenceOf(block.evidence, 3)
  const exchanges = shown.map(({ id, as, decisive }) => {
    const exchange = block.run.journal.find((one) => one.id === id)
    return exchange
      ? `- exchange ${id}${decisive ? ', evidence' : ''}: ${inline(present(as ?? nameOf(exchange), summary(exchange)).join(': '))}`
      : ''
  })
  return exchanges.filter(Boolean).join('\n')
}

function fieldsOf(fields: readonly (readonly [Words, Words])[]): readonly string[] {
  return fields
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => `- ${inline(name)}: ${inline(value)}`)
}

function listed(lines: readonly string[], most: number, full: string): string {
  const rest = lines.length - most
  return [...lines.slice(0, most), ...(rest > 0 ? [`- and ${rest} more: see ${full}`] : [])].join('\n')
}

/** Blocks below a title are indented, so that they belong to it. */
function cardOf({ badge, title, blocks }: Card, full: string): string {
  const below = blocks.map((block) => ('words' in block ? `- ${inline(block.words)}` : blockOf(block, full)))
  const lines = below.filter(Boolean).flatMap((one) => one.split('\n'))
  return [
    `- ${badge === undefined ? '' : `${badge.sign} `}**${inline(title)}**`,
    ...lines.map((one) => `  ${one}`),
  ].join('\n')
}

function tableOf({ table, columns, caption, numbers }: Extract<Block, { table: unknown }>): string {
  const row = (cells: readonly Words[]): string =>
    `| ${cells.map((one) => inline(one).replaceAll('|', '\\|')).join(' | ')} |`
  const line = columns.map((_, at) => (numbers && at > 0 ? '--:' : '---'))
  return [
    inline(caption),
    '',
    row(columns),
    `| ${line.join(' | ')} |`,
    ...table.map(({ cells }) => row(cells)),
  ].join('\n')
}

function fenced(lines: readonly string[], language = ''): string {
  const text = lines.map(visibleLine)
  const fence = '`'.repeat(Math.max(3, longestRun(text.join('\n')) + 1))
  return [fence + language, ...text, fence].join('\n')
}

function inline(words: Words): string {
  if (words === undefined) return ''
  if (isList(words)) return words.map(inline).reduce(joined, '')
  if (typeof words !== 'object') return textOf(String(words))
  if ('code' in words) return codeSpan(words.code)
  if ('strong' in words) return isEmpty(words.strong) ? '' : `**${inline(words.strong)}**`
  if ('soft' in words) return inline(words.soft)
  if ('lines' in words) return words.lines.map((one) => inline(one)).join('; ')
  return 'sign' in words ? `${words.sign} ${inline(words.says)}` : inline(words.says)
}

/** Signs of markup, mentions, references, entities and addresses, and what looks like a commit or the key of an issue. */
const linking = /[\\`*_{}[\]<>#|~@&$^]|[!%]\w|:\/\/|^\W*www\.|\w\.\w+\/|^:\w|\b[\da-f]{7,}\b|\b[a-z]{2,}-\d/i
/** At the beginning of a line it would make a list or a heading. */
const leading = /^(?:[-+=]+|\d+[.)])$/

/** A name between backticks, with nothing beside it that could be read as markup. */
const name = /^([('"“]*)`([^`]+)`([)'"”.,:;?!]*)$/

/** Names between backticks are code, and what could be markup or a reference; neighbours share a span. */
function textOf(text: string): string {
  const spans: { text: string; isCode: boolean }[] = []
  const pieces = oneLine(shorten(text, mostText)).match(/\s+|(?:`[^`]+`|\S)+/g) ?? []
  for (const [at, piece] of pieces.entries()) {
    const [, before = '', inside, after = ''] = name.exec(piece) ?? []
    const isCode = inside === undefined && (linking.test(piece) || (at === 0 && leading.test(piece)))
    const last = spans.at(-1)
    const between = spans.at(-2)
    if (isCode && last?.text.trim() === '' && between?.isCode) {
      between.text += last.text + piece
      spans.pop()
    } else spans.push({ text: inside === undefined ? piece : before + codeSpan(inside) + after, isCode })
  }
  return spans.map((span) => (span.isCode ? codeSpan(span.text) : span.text)).join('')
}

function codeSpan(text: string): string {
  const content = oneLine(shorten(text, mostText))
  if (content.trim() === '') return content
  const fence = '`'.repeat(longestRun(content) + 1)
  const pad = /^`|`$/.test(content) ? ' ' : ''
  return `${fence}${pad}${content}${pad}${fence}`
}

const longestRun = (text: string): number =>
  Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))

/** Two code spans without anything between them would be one. */
const joined = (one: string, other: string): string =>
  one.endsWith('`') && other.startsWith('`') ? `${one} ${other}` : one + other

/** On one line: a sign stands for each line break. */
const oneLine = (text: string): string => visibleLine(text.replace(/\s*\n\s*/g, ' ⏎ '))
