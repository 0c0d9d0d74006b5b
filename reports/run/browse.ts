/** A recorded run as pages of a server: its report, and lists that lead to every check and every exchange in full. */
import { lengthOf } from '../bundle/chunks.ts'
import type { Chunk } from '../bundle/exchange.ts'
import { parseJson } from '../bundle/json.ts'
import type { Exchange, Finding, Run } from '../bundle/record.ts'
import { exchangesOverTime } from '../chart/exchanges.ts'
import { span } from '../chart/picture.ts'
import { streamTimeline } from '../chart/stream.ts'
import { badgeOf, counted, type Block, type Filter, type Row, type Words } from '../document/blocks.ts'
import { htmlOf } from '../document/html.ts'
import { cardsOf } from '../findings/card.ts'
import { evidenceOf, requestBody, responseBody, resultText, transcript } from '../findings/exchanges.ts'
import type { Beside } from '../formats/exporter.ts'
import { rowsOf } from '../verdicts/clauses.ts'
import { byArea, tally, verdictOrder, verdictWords } from '../verdicts/verdicts.ts'
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
const mostOnAxis = 60
/** Characters of a body in a page; all of it is in the folder of the run. */
const mostOfBody = 2_000_000

/** `view`: the last part of the address. Null for what the run does not have. */
export function browsedPage(browsed: BrowsedRun, view: string, query: URLSearchParams): string | null {
  const { run, beside } = browsed
  const nav = Object.entries(views).map(([at, says], index): Words => [
    index === 0 ? '' : ' · ',
    { to: `./${at}`, says },
  ])
  const eyebrow: Words = [run.record.target.name, ': ', nav]
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

function checks({ run }: BrowsedRun, query: Query): View {
  const all = [...byArea(rowsOf(run)).values()].flat()
  const [verdicts, area, clause, text] = ['verdict', 'area', 'clause', 'text'].map(query)
  const byId = new Map(run.journal.map((one) => [one.id, one]))
  const hasText = ({ check, title, expected, got, detail, subject, evidence }: Finding): boolean =>
    has([check, title, expected, got, detail, subjectOf(subject, run.record).text].join('\n'), text ?? '') ||
    evidence.some((id) => has(textOf(byId.get(id)), text ?? ''))
  const found = all.filter(
    (one) =>
      (!verdicts || verdicts.split(',').includes(one.verdict)) &&
      (!area || one.area === area) &&
      has(one.subject, clause ?? '') &&
      (!text || hasText(one)),
  )
  const counts = tally(all)
  const wanted = verdictOrder.filter((verdict) => counts[verdict] > 0)
  const filters: readonly Filter[] = [
    { name: 'text', label: 'Text, in exchanges too', value: text },
    { name: 'clause', label: 'Clause', value: clause },
    {
      name: 'verdict',
      label: 'Verdict',
      value: verdicts,
      options: [
        ['', 'every verdict'],
        ['fail,error,warn', 'failed and warned'],
        ...wanted.map((one) => [one, `${verdictWords[one].word} (${counts[one]})`] as const),
      ],
    },
    {
      name: 'area',
      label: 'Area',
      value: area,
      options: [['', 'every area'], ...[...byArea(all).keys()].map((one) => [one, one] as const)],
    },
  ]
  const rows = found.map((finding): Row => {
    const { check, subject, title, verdict, got, detail } = finding
    const brief = verdict === 'pass' ? undefined : got === undefined ? detail : `actual: ${got}`
    return { cells: [linkTo('check', check, subject), badgeOf(finding), title, brief] }
  })
  return listOf('check', ['clause', 'verdict', 'scenario', 'result'], { rows, filters, query })
}

const linkTo = (view: string, id: string | number, says: Words = id): Words => ({
  to: `./${view}?id=${encodeURIComponent(id)}`,
  says,
})

interface List {
  rows: readonly Row[]
  filters: readonly Filter[]
  query: Query
}

function listOf(one: string, columns: readonly string[], { rows, filters, query }: List): View {
  const from = Math.max(0, Math.floor(Number(query('from'))) || 0)
  const table = rows.slice(from, from + mostRows)
  const caption = `${from + 1} to ${from + table.length} of ${counted(rows.length, one)}`
  const given = Object.fromEntries(filters.flatMap(({ name, value }) => (value ? [[name, value]] : [])))
  const next = new URLSearchParams({ ...given, from: String(from + mostRows) }).toString()
  const [first = ''] = one
  const title = `${first.toUpperCase()}${one.slice(1)}s`
  return {
    title,
    heading: title,
    blocks: [
      { filters },
      table.length === 0
        ? { words: `No ${one} of this run is like that.` }
        : { caption, columns: [...columns], table },
      ...(rows.length > from + mostRows
        ? [{ words: { to: `./${one}s?${next}`, says: 'the next ones' } }]
        : []),
    ],
  }
}

function check(browsed: BrowsedRun, query: Query): View {
  const { run } = browsed
  const finding = rowsOf(run).find((one) => one.check === query('id'))
  const [card] = finding ? cardsOf([finding], browsed) : []
  if (!finding || !card) return null
  const { shown } = evidenceOf(finding, mostOnAxis)
  const exchanges = shown.flatMap(({ id, as }) => {
    const one = run.journal.find((exchange) => exchange.id === id)
    return one ? [{ ...one, name: as ?? one.name }] : []
  })
  const links = exchanges.map(({ id, name }, at): Words => [
    at > 0 ? ', ' : '',
    linkTo('exchange', id),
    ` ${name}`,
  ])
  return {
    title: finding.subject,
    heading: [card.badge, ' ', card.title],
    blocks: [
      ...card.blocks,
      ...(links.length > 0 ? [{ words: ['In full: ', links] }] : []),
      { picture: exchangesOverTime(exchanges), caption: 'Evidence on one time axis' },
    ],
  }
}

const statuses = [
  ['', 'every status'],
  ['2', '2xx'],
  ['4', '4xx'],
  ['5', '5xx'],
  ['none', 'no response'],
] as const

function exchanges({ run: { journal } }: BrowsedRun, query: Query): View {
  const [text = '', scenario = '', status = ''] = ['text', 'scenario', 'status'].map(query)
  const found = journal.filter(
    (one) =>
      (status === '' || String(one.response?.status ?? 'none').startsWith(status)) &&
      has(one.scenario, scenario) &&
      (text === '' || has(textOf(one), text)),
  )
  const rows = found.map((one): Row => {
    const { id, request, inbound, name, sentAt, endedAt } = one
    const line = `${inbound ? '← ' : ''}${request.method} ${request.path}`
    const times = `+${span(sentAt)}, took ${span(endedAt - sentAt)}`
    return { cells: [linkTo('exchange', id), line, resultText(one), `${one.scenario}: ${name}`, times] }
  })
  const filters: readonly Filter[] = [
    { name: 'text', label: 'Text in path, headers, bodies', value: text },
    { name: 'scenario', label: 'Scenario', value: scenario },
    { name: 'status', label: 'Status', value: status, options: statuses },
  ]
  return listOf('exchange', ['number', 'request', 'result', 'scenario', 'time'], { rows, filters, query })
}

const forms = { text: 'Text', raw: 'As sent, with times', hex: 'Hex' } as const

function exchange({ run }: BrowsedRun, query: Query): View {
  const one = run.journal.find(({ id }) => String(id) === query('id'))
  if (!one) return null
  const { id, request, response, scenario, name, sentAt, endedAt, inbound } = one
  const form = query('as') === 'hex' || query('as') === 'raw' ? query('as') : 'text'
  const choice = Object.entries(forms).map(([as, says], at): Words => [
    at > 0 ? ' · ' : '',
    as === form ? { strong: says } : { to: `./exchange?id=${id}&as=${as}`, says },
  ])
  const sent = bodyLines([{ at: sentAt, bytes: request.body }], sentAt)
  const came = bodyLines(response?.chunks ?? [], sentAt)
  const asText = transcript(one, mostOfBody)
  const lines = (text: readonly string[], body: typeof sent): readonly string[] =>
    form === 'text'
      ? text.flatMap(prettily)
      : [...text.slice(0, text.indexOf('') + 1), ...body[form === 'hex' ? 'hex' : 'raw']]
  const own = run.journal.filter((other) => other.scenario === scenario)
  const near = own.slice(Math.max(0, own.indexOf(one) - mostOnAxis / 2)).slice(0, mostOnAxis)
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
          ['as', request.principal ?? 'nobody'],
          ['time', `+${span(sentAt)} since the start of the run, took ${span(endedAt - sentAt)}`],
        ],
      },
      { words: ['Show as ', choice] },
      { words: { strong: inbound ? 'Received' : 'Request' } },
      { code: lines(asText.request, sent) },
      { words: { strong: inbound ? 'Our reply' : 'Response' } },
      response === null ? { words: 'No response came.' } : { code: lines(asText.response, came) },
      { picture: streamTimeline(one), caption: 'Stream timing' },
      { picture: exchangesOverTime(near, one), caption: 'Its scenario on one time axis' },
      {
        fold: counted(rest.length, 'check') + ' with it as evidence',
        blocks: [
          { items: rest.map((finding): Words => [badgeOf(finding), ' ', linkTo('check', finding.check)]) },
        ],
      },
    ],
  }
}

/** A line that is JSON over several, as it is read most easily. */
function prettily(line: string): readonly string[] {
  const reading = /^[[{]/.test(line) ? parseJson(line) : { ok: false as const }
  return reading.ok ? JSON.stringify(reading.value, null, 2).split('\n') : [line]
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
