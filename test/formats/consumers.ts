/** What those who read a report refuse: each gives words for what is wrong, or nothing. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { runProblem } from '../../bundle/schema/problem.ts'
import type { Run } from '../../reports/index.ts'
import { rowsOf } from '../../reports/verdicts/clauses.ts'

export type Consumer = (content: string, run: Run) => readonly string[]

const xsd = fileURLToPath(new URL('./junit.xsd', import.meta.url))

/** A parser of XML, and every case where it belongs: the words of one that was skipped as message and as text. */
function junit(content: string, run: Run): readonly string[] {
  const options = { input: content, encoding: 'utf8', maxBuffer: 2 ** 26 } as const
  const { status, stderr, error } = spawnSync(
    'xmllint',
    ['--nonet', '--huge', '--noout', '--schema', xsd, '-'],
    options,
  )
  if (error) throw error
  if (status !== 0) return stderr.split('\n').slice(0, 5)
  const cases = [...content.matchAll(/<testcase classname="([^"]*)" name="([^"]*?): [^"]+"/g)]
  const found = cases
    .map(([, subject, check]) => `${check?.replace(/ \(\d+\)$/, '')} of ${subject}`)
    .toSorted()
  const wanted = rowsOf(run).map(({ check, subject }) => `${check} of ${subject}`)
  const skips = [...content.matchAll(/<skipped message="([^"]*)">([^<]*)<\/skipped>/g)]
  return [
    ...(found.join() === wanted.toSorted().join() ? [] : ['cases and checks are not the same']),
    ...skips.flatMap(([, message = '', text = '']) =>
      unescaped(message) === unescaped(text) ? [] : [`${message} is reported as ${text}`],
    ),
    ...(skips.length === content.split('<skipped').length - 1 ? [] : ['a skipped case has no words']),
  ]
}

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#10;', '\n').replaceAll('&#9;', '\t')

interface CtrfReport {
  readonly results: {
    readonly tests: readonly { readonly status: string }[]
    readonly summary: Readonly<Record<'tests' | 'passed' | 'failed' | 'skipped', number>>
  }
}

/** The schema of github.com/ctrf-io/ctrf (MIT). */
const ctrfSchema = readFileSync(new URL('./ctrf-schema-0.0.json', import.meta.url), 'utf8')
const withFormats = new Ajv({ strict: false })
formats.default(withFormats)
const isCtrf = withFormats.compile(JSON.parse(ctrfSchema) as object)

function ctrf(content: string, run: Run): readonly string[] {
  const report = JSON.parse(content) as CtrfReport
  if (!isCtrf(report)) return [JSON.stringify(isCtrf.errors)]
  const { tests, summary } = report.results
  const counted = (status: string): number => tests.filter((test) => test.status === status).length
  const { passed, failed, skipped } = summary
  const right = [counted('passed'), counted('failed'), counted('skipped'), rowsOf(run).length]
  const reported = [passed, failed, skipped, summary.tests]
  return reported.join() === right.join()
    ? []
    : [`it counts ${reported.join()}, and there are ${right.join()}`]
}

const require = createRequire(import.meta.url)
const schemas = require('har-schema') as Readonly<Record<string, object>>
const library = new Ajv({ strict: false, formats: {} })
formats.default(library)
library.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json') as object)
for (const schema of Object.values(schemas)) library.addSchema(schema)

interface Archive {
  log: { entries: readonly Readonly<Record<string, unknown>>[] }
}

function har(content: string, { journal }: Run): readonly string[] {
  const archive = JSON.parse(content) as Archive
  if (!library.validate('har.json#', archive)) return [library.errorsText()]
  const { entries } = archive.log
  const times = entries.map((entry) => String(entry['startedDateTime']))
  const came = journal.filter((exchange) => exchange.inbound).map(({ id }) => id)
  const marked = entries.filter((entry) => String(entry['comment']).startsWith('came in: '))
  const ids = marked.map((entry) => entry['_id'])
  return [
    ...(entries.length === journal.length
      ? []
      : [`${entries.length} entries of ${journal.length} exchanges`]),
    ...(times.join() === times.toSorted().join() ? [] : ['entries are out of order']),
    ...(ids.length === came.length && came.every((id) => ids.includes(id)) ? [] : ['inbound is not marked']),
    ...(marked.every((entry) => entry['_inbound']) ? [] : ['inbound says no place']),
  ]
}

/** The page of a job of GitHub takes 1 MiB and drops more; nothing of a target is markup on it. */
function markdown(content: string): readonly string[] {
  const bytes = Buffer.byteLength(content)
  const tags = content.replaceAll(/`[^`\n]*`/g, '').match(/(?<!\\)<\/?\w|(?<!\\)!\[|(?<!\\)\]\(/g) ?? []
  return [
    ...(bytes <= 2 ** 20 ? [] : [`${bytes} bytes`]),
    ...tags.map((tag) => `there is markup: ${tag}`),
    ...(content.startsWith('## ') ? [] : ['it begins with no title']),
    ...(/\n\d+ passed, \d+ failed, \d+ skipped(?:, \d+ [a-z ]+)*\n$|\n… \d+ more lines: see report\.html\n$/.test(
      content,
    )
      ? []
      : ['it says neither the counts nor what was left out']),
    ...rawMarks(content.replaceAll(/`[^`\n]*`/g, '').replaceAll(/\\[^n]/g, '')),
    ...invisible(content),
  ]
}

/** What shows that a text was not made for its readers. */
function rawMarks(words: string): readonly string[] {
  return [...words.matchAll(/.{0,30}(?:`|\\n|\.:).{0,30}/g)].map(([found]) => `a raw mark: ${found}`)
}

/** A command is a line; GitHub shows ten errors and ten warnings of a step. */
function annotations(content: string): readonly string[] {
  const lines = content.split('\n').slice(0, -1)
  const wrong = lines.filter((line) => !/^::(error|warning) title=[^:,]+::[^\r]+$/.test(line))
  const bare = lines.filter((line) => /%(?!25|0D|0A|3A|2C)/.test(line))
  return [
    ...(lines.length <= 10 ? [] : [`${lines.length} lines`]),
    ...[...wrong, ...bare].map((line) => `no command: ${line.slice(0, 200)}`),
    ...invisible(content),
  ]
}

/** A terminal moves its cursor for a control character, and turns the reading direction for some others. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const active = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const invisible = (content: string): readonly string[] =>
  active.test(content) ? ['something in it is not visible'] : []

function text(content: string): readonly string[] {
  const last =
    /\n\d+ passed, \d+ failed, \d+ skipped(?:, \d+ [a-z ]+)*\n\S .* · gate (?:passed|failed) \(exit \d+\)[^\n]*\n$/.test(
      content,
    )
  return [...invisible(content), ...(last ? [] : ['it does not end with the counts'])]
}

function json(content: string): readonly string[] {
  const reported = runProblem(JSON.parse(content))
  return reported === null ? [] : [reported]
}

/** The page has tests of its own; here, that it is one, and runs nothing. */
function html(content: string): readonly string[] {
  return [
    ...(/^<!doctype html>/i.test(content) ? [] : ['it is no page']),
    ...(/<(script|iframe)|<[^>]*\son\w+=/i.test(content) ? ['it holds something that runs'] : []),
    ...rawMarks(content.replaceAll(/<(style|title|pre|code)\b.*?<\/\1>/gs, '')),
    ...invisible(content),
  ]
}

/** By the name of the format. */
export const consumers = {
  json,
  junit,
  ctrf,
  har,
  markdown,
  html,
  text,
  annotations,
} as const satisfies Readonly<Record<string, Consumer>>
