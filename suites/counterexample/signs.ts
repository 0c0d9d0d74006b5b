/**
 * What of a failure shows in one status, header or member, so that a script can see it too. The words of a finding
 * say what was expected; a sign made from them is kept only where the recorded answers break it.
 */
import { isReplay, codesOf, object, replayHeaderOf } from '../assertions/answer.ts'
import { isObject } from '../../spec/json.ts'
import { canonical, events, fields } from '../assertions/reply.ts'
import { keyOfRequest, overlap } from '../chat/assertions/race.ts'
import type { Finding } from '../../reports/bundle/record.ts'
import { deniesReplay, header } from '../wire/body.ts'
import type { Exchange } from '../wire/exchange.ts'
import type { Sign } from './file.ts'
import type { Told } from './references.ts'

interface Case {
  shown: Told
  /** All of the course, in the order sent. */
  all: readonly Told[]
  /** Groups of the pattern that matched. */
  groups: readonly string[]
}

type Row = readonly [expected: RegExp, signs: (found: Case) => readonly Sign[]]

/** By the words of what was expected. */
const rows: readonly Row[] = [
  [/^status (\d{3}(?: or \d{3})*)$/, statuses],
  [/^(\d{3}) while the turn runs$/, ({ shown, groups: [status] }) => [range(shown, Number(status))]],
  [
    /^a status from (\d{3}) to (\d{3})$/,
    ({ shown, groups: [least, most] }) => [range(shown, Number(least), Number(most))],
  ],
  [/^a status below (\d{3})$/, ({ shown, groups: [above] }) => [range(shown, 100, Number(above) - 1)]],
  [
    /^header ([\w-]+): (.+)$/,
    ({ shown, groups: [name = '', is = ''] }) => [{ step: shown.id, header: name, is }],
  ],
  [/^header ([\w-]+)$/, ({ shown, groups: [name = ''] }) => [{ step: shown.id, header: name, is: 'true' }]],
  [/^no header ([\w-]+)/, ({ shown, groups: [name = ''] }) => [{ step: shown.id, header: name, is: null }]],
  [
    /^a JSON content type$/,
    ({ shown }) => [{ step: shown.id, header: 'content-type', is: 'json', part: true }],
  ],
  [
    /^(?:content type )?(text\/event-stream)$/,
    ({ shown, groups: [type = ''] }) => [{ step: shown.id, header: 'content-type', is: type, part: true }],
  ],
  [
    /^`(\w+)`: (string|filled string|number|object|absent)$/,
    ({ shown, groups: [field = '', kind = ''] }) => kindOf(shown, field, kind),
  ],
  [
    /^`(\w+)`: uuid$/,
    ({ shown, groups: [field = ''] }) => [{ step: shown.id, field, kind: 'filled string' }],
  ],
  [/^`(\w+)`: ["{[\d]/, sameAs],
  [
    /^`(\w+)`: (-?\d+|true|false)$/,
    ({ shown, groups: [field = '', value = ''] }) => [
      { step: shown.id, field, equals: JSON.parse(value) as number | boolean },
    ],
  ],
  [/^a text `(\w+)`$/, ({ shown, groups: [field = ''] }) => kindOf(shown, field, 'filled string')],
  [/^exactly one `(\w+)`$/, ({ shown, groups: [event = ''] }) => [{ step: shown.id, event, times: 1 }]],
  [/^no ([a-z-]+)$/, ({ shown, groups: [name = ''] }) => [{ step: shown.id, header: name, is: null }]],
  [/^the code (\w+) /, ({ shown, groups: [says = ''] }) => [{ step: shown.id, says }]],
  [
    /^the first answer to its key$/,
    ({ shown }) => [{ step: shown.id, header: replayHeaderOf(shown.exchange), is: null }],
  ],
  [/^one turn that ran$/, oneRun],
  [
    /^a replay$/,
    ({ shown }) => [
      range(shown, 200),
      { step: shown.id, header: replayHeaderOf(shown.exchange), is: 'true' },
    ],
  ],
  [/^a replay or a refusal$/, ({ shown }) => [{ step: shown.id, turn: 'none' }, range(shown, 200, 499)]],
  [/^a reply of its own, or a refusal$/, unlike],
  [/^no 429$/, ({ shown }) => [range(shown, 200, 428)]],
]

/** Empty where only the judge itself can tell. */
export function signsOf({ expected = '', evidence }: Finding, all: readonly Told[]): readonly Sign[] {
  const shown = all.find(({ exchange }) => exchange.id === evidence[0])
  if (!shown) return []
  const signs = rows.flatMap(([pattern, make]) => {
    const match = pattern.exec(expected)
    return match ? make({ shown, all, groups: match.slice(1) }) : []
  })
  const broken = signs.filter((sign) => !holds(sign, all))
  return isOpen(shown, all) ? broken.filter((sign) => 'oneRunWith' in sign) : broken
}

/** Where two different messages raced for one key, what is expected of a step depends on which of them won. */
function isOpen({ exchange }: Told, all: readonly Told[]): boolean {
  const same = all.filter((other) => keyOfRequest(other.exchange) === keyOfRequest(exchange))
  return same.some((one) =>
    same.some((other) => overlap(one.exchange, other.exchange) && !sameBody(one.exchange, other.exchange)),
  )
}

function sameBody({ request: one }: Exchange, { request: other }: Exchange): boolean {
  return Buffer.from(one.body).equals(other.body)
}

function range({ id }: Told, least: number, most = least): Sign {
  return { step: id, status: [least, most] }
}

/** Of several that are allowed, those between them count as allowed: the script may miss, and never accuses wrongly. */
function statuses({ shown, groups: [words = ''] }: Case): readonly Sign[] {
  const allowed = Array.from(words.matchAll(/\d{3}/g), ([status]) => Number(status))
  return [range(shown, Math.min(...allowed), Math.max(...allowed))]
}

function kindOf({ id }: Told, field: string, kind: string): readonly Sign[] {
  const known = (['string', 'filled string', 'number', 'object', 'absent'] as const).find(
    (one) => one === kind,
  )
  return known ? [{ step: id, field, kind: known }] : []
}

function sameAs({ shown, all, groups: [field = ''] }: Case): readonly Sign[] {
  const before = all.filter(({ exchange }) => exchange.id < shown.exchange.id && fields(exchange))
  const original =
    before.find(({ exchange }) => keyOfRequest(exchange) === keyOfRequest(shown.exchange)) ?? before[0]
  return original ? [{ step: shown.id, field, sameAs: original.id }] : []
}

function unlike({ shown, all }: Case): readonly Sign[] {
  const original = all.find(
    ({ exchange }) =>
      exchange.id < shown.exchange.id && keyOfRequest(exchange) === keyOfRequest(shown.exchange),
  )
  return original ? [{ step: shown.id, field: 'conversation_id', unlike: original.id }] : []
}

function oneRun({ shown, all }: Case): readonly Sign[] {
  const same = all.filter(
    ({ id, exchange }) => id !== shown.id && keyOfRequest(exchange) === keyOfRequest(shown.exchange),
  )
  return [{ step: shown.id, oneRunWith: same.map(({ id }) => id) }]
}

/** Whether the answers are as the sign asks. */
export function holds(sign: Sign, all: readonly Told[]): boolean {
  const at = (id: string): Exchange | undefined => all.find((one) => one.id === id)?.exchange
  const exchange = at(sign.step)
  if (!exchange?.response) return true
  const { status } = exchange.response
  if ('status' in sign) return status >= sign.status[0] && status <= sign.status[1]
  if ('header' in sign) return headerHolds(sign, exchange)
  if ('kind' in sign) return kindHolds(sign.kind, finalOf(exchange)?.[sign.field])
  if ('equals' in sign) return finalOf(exchange)?.[sign.field] === sign.equals
  if ('event' in sign) return events(exchange, sign.event).length === sign.times
  if ('sameAs' in sign) return isSame(sign.field, exchange, at(sign.sameAs))
  if ('unlike' in sign) return status !== 200 || !isSame(sign.field, exchange, at(sign.unlike))
  if ('says' in sign) return codesOf(exchange).includes(sign.says)
  if ('turn' in sign) return !isTurn(exchange)
  const others = sign.oneRunWith.map(at).filter((other) => other !== undefined)
  return [exchange, ...others].filter(isTurn).length <= 1
}

/** The final fields of a reply, or the members of a refusal. */
function finalOf(exchange: Exchange): Readonly<Record<string, unknown>> | null {
  return fields(exchange) ?? object(exchange)
}

function isTurn(exchange: Exchange): boolean {
  return exchange.response?.status === 200 && !isReplay(exchange)
}

function headerHolds(
  { header: name, is, part }: Extract<Sign, { header: string }>,
  exchange: Exchange,
): boolean {
  const values = header(exchange, name)
  if (is === null) return values.every(deniesReplay)
  return part ? values.some((value) => value.includes(is)) : values.length === 1 && values[0] === is
}

function isSame(field: string, one: Exchange, other: Exchange | undefined): boolean {
  return other !== undefined && canonical(fields(one)?.[field]) === canonical(fields(other)?.[field])
}

function kindHolds(kind: string, value: unknown): boolean {
  if (kind === 'absent') return value === undefined
  if (kind === 'object') return isObject(value)
  if (kind === 'filled string') return typeof value === 'string' && value !== ''
  return typeof value === kind
}
