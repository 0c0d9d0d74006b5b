/** A recorded run as pages of a server: its report, and lists that lead to every check and every exchange in full. */
import { lengthOf } from '../../bundle/chunks.ts'
import type { Chunk } from '../../bundle/exchange.ts'
import { parseJson } from '../../bundle/json.ts'
import type { Exchange, Finding, Run } from '../../bundle/record.ts'
import { span } from '../chart/picture.ts'
import { streamTimeline } from '../chart/stream.ts'
import {
  badgeOf,
  between,
  counted,
  present,
  type Block,
  type Filter,
  type Row,
  type Words,
} from '../document/blocks.ts'
import { htmlOf } from '../document/html.ts'
import { cardsOf } from '../findings/card.ts'
import { evidenceOf, requestBody, responseBody, resultText, transcript } from '../findings/exchanges.ts'
import type { Beside } from '../formats/exporter.ts'
import { rowsOf } from '../verdicts/clauses.ts'
import { byArea, tally, verdictOrder, verdictWordsOf } from '../verdicts/verdicts.ts'
import { visible } from '../visible.ts'
import { pageOf } from './page.ts'
import { subjectOf } from './words.ts'

export interface BrowsedRun {
  readonly run: Run
  readonly beside: Beside
}

const views = { '': 'Report', checks: 'Checks', exchanges: 'Exchanges' } as const
/** Rows of a list; the next ones are a link away. */
const mostRows = 500
const mostLinks = 60
/** Characters of a body in a page; all of it is in the folder of the run. */
const mostOfBody = 2_000_000

/** `view`: the last part of the address. Null for what the run does not have. */
export function browsedPage(browsed: BrowsedRun, view: string, query: URLSearchParams): string | null {
  const { run, beside } = browsed
  const nav = Object.entries(views).map(([at, says]): Words => ({ to: `./${at}`, says }))
  const eyebrow: Words = [run.record.target.name, ': ', between(' · ', nav)]
  if (view === '') return htmlOf({ ...pageOf(run, beside), eyebrow, isServed: true })
  const make = new Map(Object.entries({ checks, check, exchanges, exchange })).get(view)
  const made = make?.(browsed, (name) => query.get(name) ?? '')
  if (!made) return null
  const { heading, blocks } = made
  const title = `${made.title} · ${run.record.target.name}`
  return htmlOf({ title, eyebrow, heading, head: [], sections: [], body: blocks, isServed: true })
}

type Query = (name: string) => string
type View = { title: string; heading: Words; blocks: readonly Block[] } | null

const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())

function textOf(exchange: Exchange | undefined): string {
  if (exchange === undefined) return ''
  const { request, response } = exchange
  const heads = [...request.headers, ...(response?.headers ?? [])].map((header) => header.join(': '))
  const bodies = [requestBody(exchange), responseBody(exchange)]
  return [`${request.method} ${request.path}`, ...heads, ...bodies].join('\n')
}

interface List<T> {
  one: string
  all: readonly T[]
  filters: readonly Filter[]
  fits: (item: T) => boolean
  columns: readonly string[]
  cells: (item: T) => Row['cells']
}

function listOf<T>({ one, all, filters, fits, columns, cells }: List<T>, query: Query): View {
  const found = all.filter(fits)
  const from = Math.max(0, Math.floor(Number(query('from'))) || 0)
  const table = found.slice(from, from + mostRows).map((item) => ({ cells: cells(item) }))
  const caption = `${from + 1} to ${from + table.length} of ${counted(found.length, one)}`
  const chosen = filters.map((filter) => ({ ...filter, value: query(filter.name) }))
  const given = Object.fromEntries(chosen.flatMap(({ name, value }) => (value ? [[name, value]] : [])))
  const next = new URLSearchParams({ ...given, from: String(from + mostRows) }).toString()
  const title = `${one.slice(0, 1).toUpperCase()}${one.slice(1)}s`
  return {
    title,
    heading: title,
    blocks: present<Block>(
      { filters: chosen },
      table.length === 0 ? { words: `No ${one} matches these filters.` } : { caption, columns, table },
      found.length > from + mostRows && { words: { to: `./${one}s?${next}`, says: 'the next ones' } },
    ),
  }
}

const linkTo = (view: string, id: string | number, says: Words = id): Words => ({
  to: `./${view}?id=${encodeURIComponent(id)}`,
  says,
})

function checks({ run }: BrowsedRun, query: Query): View {
  const all = [...byArea(rowsOf(run)).values()].flat()
  const counts = tally(all)
  const words = verdictWordsOf(all)
  const byId = new Map(run.journal.map((one) => [one.id, one]))
  const textIn = ({ check, title, expected, got, detail, subject, evidence }: Finding): string =>
    [check, title, expected, got, detail, subjectOf(subject, run.record).text]
      .concat(evidence.map((id) => textOf(byId.get(id))))
      .join('\n')
  const verdicts = verdictOrder.filter((verdict) => counts[verdict] > 0)
  const areas = [...byArea(all).keys()].map((area) => [area, area] as const)
  return listOf(
    {
      one: 'check',
      all,
      filters: [
        { name: 'text', label: 'Text, in exchanges too' },
        { name: 'clause', label: 'Clause' },
        {
          name: 'verdict',
          label: 'Verdict',
          options: [
            ['', 'all verdicts'],
            ['fail,error,warn', 'failed and warned'],
            ...verdicts.map((one) => [one, `${words[one].word} (${counts[one]})`] as const),
          ],
        },
        { name: 'area', label: 'Area', options: [['', 'every area'], ...areas] },
      ],
      fits: (one) =>
        ['', one.area].includes(query('area')) &&
        (query('verdict') === '' || query('verdict').split(',').includes(one.verdict)) &&
        has(one.subject, query('clause')) &&
        (query('text') === '' || has(textIn(one), query('text'))),
      columns: ['clause', 'verdict', 'scenario', 'result'],
      cells: (one) => [
        linkTo('check', one.check, one.subject),
        badgeOf(one),
        one.title,
        one.verdict === 'pass' ? undefined : one.got === undefined ? one.detail : `actual: ${one.got}`,
      ],
    },
    query,
  )
}

function check(browsed: BrowsedRun, query: Query): View {
  const { run } = browsed
  const finding = rowsOf(run).find((one) => one.check === query('id'))
  const [card] = finding ? cardsOf([finding], run) : []
  if (!finding || !card) return null
  const links = evidenceOf(finding, mostLinks).shown.flatMap(({ id, as }): Words[] => {
    const one = run.journal.find((exchange) => exchange.id === id)
    return one ? [[linkTo('exchange', id), ` ${as ?? one.name} (${timeOf(one)})`]] : []
  })
  return {
    title: finding.subject,
    heading: [card.badge, ' ', card.title],
    blocks: [...card.blocks, ...(links.length > 0 ? [{ words: ['In full: ', between(', ', links)] }] : [])],
  }
}

const timeOf = ({ sentAt, endedAt }: Exchange): string => `+${span(sentAt)}, took ${span(endedAt - sentAt)}`

const exchanges = ({ run: { journal } }: BrowsedRun, query: Query): View =>
  listOf(
    {
      one: 'exchange',
      all: journal,
      filters: [
        { name: 'text', label: 'Text in path, headers, bodies' },
        { name: 'scenario', label: 'Scenario' },
        {
          name: 'status',
          label: 'Status',
          options: [
            ['', 'every status'],
            ...['2', '4', '5'].map((one) => [one, `${one}xx`] as const),
            ['none', 'no response'],
          ],
        },
      ],
      fits: (one) =>
        String(one.response?.status ?? 'none').startsWith(query('status')) &&
        has(one.scenario, query('scenario')) &&
        (query('text') === '' || has(textOf(one), query('text'))),
      columns: ['number', 'request', 'result', 'scenario', 'time'],
      cells: (one) => [
        linkTo('exchange', one.id),
        `${one.inbound ? '← ' : ''}${one.request.method} ${one.request.path}`,
        resultText(one),
        `${one.scenario}: ${one.name}`,
        timeOf(one),
      ],
    },
    query,
  )

const forms = { text: 'Text', raw: 'As sent, with times', hex: 'Hex' } as const

function exchange({ run }: BrowsedRun, query: Query): View {
  const one = run.journal.find(({ id }) => String(id) === query('id'))
  if (!one) return null
  const { id, request, response, scenario, name, sentAt, inbound } = one
  const form = query('as') === 'hex' || query('as') === 'raw' ? query('as') : 'text'
  const choice = Object.entries(forms).map(([as, says]): Words =>
    as === form ? { strong: says } : { to: `./exchange?id=${id}&as=${as}`, says },
  )
  const sent = bodyLines([{ at: sentAt, bytes: request.body }], sentAt)
  const came = bodyLines(response?.chunks ?? [], sentAt)
  const asText = transcript(one, mostOfBody)
  const lines = (text: readonly string[], body: typeof sent): readonly string[] =>
    form === 'text'
      ? text.flatMap((line) => {
          // JSON over several lines, as it is read most easily.
          const reading = /^[[{]/.test(line) ? parseJson(line) : { ok: false as const }
          return reading.ok ? JSON.stringify(reading.value, null, 2).split('\n') : [line]
        })
      : [...text.slice(0, text.indexOf('') + 1), ...body[form === 'hex' ? 'hex' : 'raw']]
  const rest = rowsOf(run).filter(({ evidence }) => evidence.includes(id))
  return {
    title: `Exchange ${id}`,
    heading: [`Exchange ${id} `, { code: resultText(one) }],
    blocks: [
      ...notesOf(one).map((words): Block => ({ banner: 'Note', says: words })),
      {
        fields: [
          [
            'scenario',
            [{ to: `./exchanges?scenario=${encodeURIComponent(scenario)}`, says: scenario }, `: ${name}`],
          ],
          ['API key', request.principal ?? 'none'],
          ['time since the start of the run', timeOf(one)],
        ],
      },
      { words: ['Show as ', between(' · ', choice)] },
      { words: { strong: inbound ? 'Received' : 'Request' } },
      { code: lines(asText.request, sent) },
      { words: { strong: inbound ? 'Our reply' : 'Response' } },
      response === null ? { words: 'No response came.' } : { code: lines(asText.response, came) },
      { picture: streamTimeline(one), caption: 'Stream timing' },
      {
        fold: `${counted(rest.length, 'check')} with it as evidence`,
        blocks: [{ items: rest.map((one): Words => [badgeOf(one), ' ', linkTo('check', one.check)]) }],
      },
    ],
  }
}

function notesOf({
  failure,
  response,
  resent,
  insteadOf,
  withheld,
  inbound,
  request,
}: Exchange): readonly string[] {
  return [
    failure && `${failure.kind}: ${failure.message}`,
    response && !response.complete && 'the body did not end as its framing promises',
    resent && 'the same bytes were sent twice: a kept connection turned out to be closed',
    insteadOf !== undefined && `exchange ${insteadOf} came too early: this one is judged in its place`,
    withheld && 'a body had a secret in an encoding that cannot be redacted, and is left out',
    inbound?.cut && 'the body was larger than is stored; this is its beginning',
    request.splitAt !== undefined && `the body was sent in two writes: ${request.splitAt} bytes first`,
    request.replica !== undefined && `sent to ${request.replica}`,
  ].filter((note) => typeof note === 'string')
}

const width = 16

/** A body as parts that arrived by themselves, each with its time. */
function bodyLines(
  chunks: readonly Chunk[],
  since: number,
): { raw: readonly string[]; hex: readonly string[] } {
  const decoder = new TextDecoder()
  let [offset, left] = [0, mostOfBody]
  const parts = chunks.map(({ at, bytes }, index) => {
    const mark = `── part ${index + 1} · +${span(at - since)} · ${bytes.length} B ──`
    const shown = bytes.subarray(0, left)
    left -= shown.length
    const rows = Array.from({ length: Math.ceil(shown.length / width) }, (_, row) => {
      const own = shown.subarray(row * width, (row + 1) * width)
      const digits = [...own].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
      const plain = [...own].map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.'))
      return `${(offset + row * width).toString(16).padStart(6, '0')}  ${digits.padEnd(3 * width)} ${plain.join('')}`
    })
    offset += bytes.length
    return { raw: [mark, visible(decoder.decode(shown, { stream: true }))], hex: [mark, ...rows] }
  })
  const cut = left === 0 ? [`… ${lengthOf(chunks) - mostOfBody} more bytes`] : []
  return {
    raw: [...parts.flatMap(({ raw }) => raw), ...cut],
    hex: [...parts.flatMap(({ hex }) => hex), ...cut],
  }
}
