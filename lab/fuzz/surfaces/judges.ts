/** Every judge, with a recorded scenario of which some answers were changed: no server makes a judge throw. */
import { judgeScenario, type AnyScenario, type RunRecord } from '../../../suites/index.ts'
import { readJournal } from '../../../bundle/journal/codec.ts'
import { roomIds, scenariosOf } from '../../../test/rooms.ts'
import { changeBytes } from '../change-bytes.ts'
import { changeJson } from '../change-json.ts'
import type { Draw } from '../draw.ts'
import { bytesOf, Defect, type Surface, type Surfaces } from '../surface.ts'

type ScenarioRun = RunRecord['scenarioRuns'][number]
type Headers = [string, string][]
interface Chunk {
  at: number
  body: string | { base64: string }
}
interface Line {
  request: { method: string; path: string; headers: Headers; body: Chunk['body'] }
  response: { status: number; headers: Headers; at: number; chunks: Chunk[]; complete: boolean } | null
  failure: { kind: string; message: string } | null
  inbound?: { cut?: true }
}

/** What a target may answer with: any bytes that an HTTP client takes for an answer. */
const headers: Headers = [
  ['content-type', 'text/event-stream'], ['Content-Type', 'application/json'], ['content-type', ''],
  ['content-type', ';;;="'], ['Retry-After', '-1'], ['Retry-After', 'Wed, 21 Oct 2015 07:28:00 GMT'],
  ['retry-after', '1e999'], ['X-RateLimit-Limit', '60, 60'], ['X-RateLimit-Remaining', ''], ['X-RateLimit-Reset', '99999999999999999999'],
  ['X-RateLimit-Reset', 'NaN'], ['X-Service-Idempotent-Replay', 'TRUE'], ['X-Service-Idempotent-Replay', 'true'],
  ['__proto__', 'x'], ['X-Service-Signature', 'sha256='], ['X-Service-Signature', 'sha256=zz'],
  ['X-Service-Delivery-Id', 'whd_'], ['X-Service-Event', '__proto__'], ['allow', ','], ['www-authenticate', 'Bearer "'],
] // prettier-ignore
const bodies = [
  '', '{}', '[]', 'null', '0', '"x"', 'data: [DONE]\n\n', 'data: null\n\n', 'data: []\n\n', 'data: {"type":"done"}\n\n',
  'data: {"type":"done","credits_used":"x"}\n\n', '<html>', '{"error":null}', '{"error":{"code":1}}', '{"response":null}',
  '{"data":[null]}', '{"webhooks":[null,1,"x"]}', '{"logs":[null]}', '{"operations":[null,{}]}',
] // prettier-ignore
const streamTokens = ['data: ', 'data: [DONE]\n\n', 'data: {"type":"done"}\n\n', '\n\n', '\r\n', ': c\n']

function changeText(text: string, draw: Draw): Chunk['body'] {
  if (draw.chance(10)) return draw.from(bodies)
  if (draw.chance(60)) {
    const whole = changeJson(text, draw)
    if (whole !== null) return whole
    const events = text.split('\n')
    const at = draw.below(events.length)
    const line = events[at] ?? ''
    const event = line.startsWith('data: ') ? changeJson(line.slice(6), draw) : null
    if (event !== null) return events.with(at, `data: ${event}`).join('\n')
  }
  const bytes = changeBytes(bytesOf(text), draw, [bytesOf(draw.from(bodies))], streamTokens)
  return { base64: Buffer.from(bytes).toString('base64') }
}

function changeHeaders(given: Headers, draw: Draw): Headers {
  const list: Headers = given.map(([name, value]) => [name, value])
  const at = draw.below(list.length + 1)
  const [name, value] = list[at] ?? ['x', 'y']
  const way = draw.below(4)
  if (way === 0) list.splice(at, 1)
  else if (way === 1) list.push(draw.from(headers))
  else if (way === 2) list.push([name, value])
  else list.splice(at, 1, [name, Buffer.from(changeBytes(bytesOf(value), draw, [bytesOf(value)])).toString('latin1').replaceAll(/[\r\n\0]/g, ' ')]) // prettier-ignore
  return list
}

const statuses = [
  200, 200, 201, 202, 204, 301, 400, 401, 402, 403, 404, 409, 413, 422, 429, 500, 503, 599, 999,
]

const textIn = (body: Chunk['body']): string =>
  typeof body === 'string' ? body : Buffer.from(body.base64, 'base64').toString()

function changeAnswer(line: Line, draw: Draw, other: Line): void {
  const { response } = line
  const way = draw.below(10)
  if (!response || way === 0) {
    line.response = other.response && structuredClone(other.response)
    line.failure = line.response
      ? null
      : { kind: draw.from(['reset', 'timeout', 'protocol', 'refused']), message: 'fuzzed' }
  } else if (way === 1) response.status = draw.from(statuses)
  else if (way <= 3) response.headers = changeHeaders(response.headers, draw)
  else if (way === 4) response.complete = false
  else if (way === 5) response.chunks = draw.chance(50) ? [] : [...response.chunks, ...response.chunks]
  else {
    const text = response.chunks.map(({ body }) => textIn(body)).join('')
    response.chunks = [{ at: response.at, body: changeText(text, draw) }]
  }
}

/** Of what came in, the target wrote the request. */
function changeDelivery({ request, inbound }: Line, draw: Draw): void {
  const way = draw.below(5)
  if (way === 0) request.headers = changeHeaders(request.headers, draw)
  else if (way === 1) request.method = draw.from(['GET', 'PUT', 'post', 'M-SEARCH'])
  else if (way === 2 && inbound) inbound.cut = true
  else request.body = changeText(textIn(request.body), draw)
}

/** A scenario is a line of notes beside the exchanges, and a line for each exchange. */
function change(seed: Uint8Array, draw: Draw, others: readonly Uint8Array[]): Uint8Array {
  const [reported = '', ...lines] = Buffer.from(seed).toString().split('\n')
  const [, ...strange] = Buffer.from(draw.from(others)).toString().split('\n')
  for (let left = draw.chance(60) ? 1 : 1 + draw.below(4); left > 0 && lines.length > 0; left--) {
    const at = draw.below(lines.length)
    const line = JSON.parse(lines[at] ?? '') as Line
    const other = JSON.parse(draw.from(strange.length > 0 ? strange : lines)) as Line
    if (line.inbound) changeDelivery(line, draw)
    else changeAnswer(line, draw, other)
    if (draw.chance(3)) lines.splice(at, 1)
    else lines[at] = JSON.stringify(line)
  }
  return bytesOf([reported, ...lines].join('\n'))
}

const scenarios: Readonly<Record<string, AnyScenario>> = scenariosOf(roomIds)

export const judges = {
  judges: {
    parts: 12,
    seeds: ({ record, lines }) => {
      const byScenario = Map.groupBy(lines, (line) => (JSON.parse(line) as { scenario: string }).scenario)
      return record.scenarioRuns
        .map((scenario) =>
          [JSON.stringify(scenario), ...(byScenario.get(scenario.scenario) ?? [])].join('\n'),
        )
        .filter(({ length }) => length < 25_000)
        .map(bytesOf)
    },
    change,
    open: ({ dialect }) => ({
      feed(input) {
        const [first = '', ...lines] = Buffer.from(input).toString().split('\n')
        const planned = JSON.parse(first) as ScenarioRun
        const scenario = scenarios[planned.scenario]
        if (!scenario) throw new Defect(`there is no scenario ${planned.scenario}`)
        const exchanges = readJournal(lines.join('\n'))
        const findings = judgeScenario(planned.scenario, scenario, { ...planned, exchanges }, dialect)
        const wrong = findings.find(({ verdict }) => verdict === 'error')
        if (wrong) throw new Defect(`${wrong.check}: ${wrong.detail ?? ''}`)
      },
    }),
  } satisfies Surface,
} satisfies Surfaces
