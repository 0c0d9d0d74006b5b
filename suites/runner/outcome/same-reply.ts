/**
 * Whether a service gives the same reply whatever it is asked. Then a reply says nothing about its request, and no
 * check passes that rests on such replies alone. Why: docs/internal/decisions.md
 */
import { canonical, fields } from '../../assertions/reply.ts'
import { asked } from '../../assertions/turn.ts'
import { sha256 } from '../../../bundle/seal/digest.ts'
import type { Finding, Merged, Opening } from '../../../bundle/record.ts'
import { type Exchange, text } from '../../wire/exchange.ts'

/** Most long bodies have neither this name nor any escape of ASCII, in which it may be hidden: they need not be parsed. */
const mayNameIt = /conversation_id|\\u00/

/** What is stored of a request for the whole run: long messages are not to be. */
interface Request {
  id: number
  /** Every key that it carries, wherever. */
  keys: readonly string[]
  message: string
}

type Twins = readonly [first: Request, second: Request]

/** A reply of a service, one for all exchanges that got it. */
interface Reply {
  first: Request | null
  twins: Twins | null
}

export interface SameReplies {
  /** The findings, where a pass that rests on such replies alone is inconclusive. */
  without(findings: readonly Finding[]): readonly Finding[]
}

interface Of {
  target: Pick<Opening['target'], 'kind'>
  merged?: Pick<Merged, 'of'>
}

/** Watches a growing journal. A client sees the replies of our own service, which prove nothing against it. */
export function watchReplies(journal: readonly Exchange[], { target, merged }: Of): SameReplies {
  if (target.kind === 'client' || target.kind === 'traffic') return { without: (findings) => findings }
  /** Each shard may have met a service of its own, and services that number alike give the same replies. */
  const inItsShard = (exchange: Exchange): readonly Reply[] =>
    marksOf(exchange).map((mark) => replyOf(`${exchange.id % (merged?.of ?? 1)} ${mark}`))
  const replies = new Map<string, Reply>()
  const byExchange = new Map<number, readonly Reply[]>()
  let [looked, areTwins] = [0, false]

  function look(): void {
    for (const exchange of journal.slice(looked)) {
      if (exchange.inbound || exchange.response === null) continue
      const own = inItsShard(exchange)
      byExchange.set(exchange.id, own)
      const request = own.length === 0 ? null : beginningIn(exchange)
      if (request) for (const reply of own) meet(reply, request)
    }
    looked = journal.length
  }

  function replyOf(mark: string): Reply {
    const reply = replies.get(mark) ?? { first: null, twins: null }
    replies.set(mark, reply)
    return reply
  }

  function meet(reply: Reply, request: Request): void {
    if (!reply.first) reply.first = request
    else if (!reply.twins && differ(reply.first, request)) {
      reply.twins = [reply.first, request]
      areTwins = true
    }
  }

  const twinsOf = (own: readonly Reply[] = []): Twins | undefined =>
    own.find(({ twins }) => twins !== null)?.twins ?? undefined

  return {
    without(findings) {
      look()
      if (!areTwins) return findings
      return findings.map((finding) => {
        if (finding.verdict !== 'pass') return finding
        const rests = finding.evidence.flatMap((id) =>
          byExchange.has(id) ? [twinsOf(byExchange.get(id))] : [],
        )
        const [same] = rests
        if (!same || rests.includes(undefined)) return finding
        return { ...finding, verdict: 'inconclusive', detail: because(same) }
      })
    },
  }
}

function because([first, second]: Twins): string {
  return `two requests with different keys got one reply in one conversation (exchanges ${first.id} and ${second.id}), so it shows nothing of what was asked`
}

/**
 * Digests of a reply as it is, and without what it repeats of the message; none where it names no conversation. They
 * are stored for the whole run, which long replies are not to be.
 */
function marksOf(exchange: Exchange): readonly string[] {
  if (!mayNameIt.test(text(exchange).text)) return []
  const {
    response,
    conversation_id: id,
    credits_used: used,
    credits_remaining: left,
  } = fields(exchange) ?? {}
  if (typeof id !== 'string') return []
  const message = asked(exchange)?.['message']
  const isRepeated = typeof response === 'string' && typeof message === 'string' && message !== ''
  const texts = new Set(isRepeated ? [response, response.replaceAll(message, '')] : [response ?? null])
  return [...texts].map((text) => sha256(canonical([id, used ?? null, left ?? null, text])))
}

/** Null for anything but a turn of chat that goes on with nothing. */
function beginningIn({ id, request }: Exchange): Request | null {
  const { path, method, headers } = request
  if (method !== 'POST' || !path.startsWith('/api/v1/chat/')) return null
  const {
    message,
    conversation_id: conversation,
    interaction,
    idempotency_key: key,
  } = asked({ request }) ?? {}
  if (typeof message !== 'string' || conversation !== undefined || interaction !== undefined) return null
  const inHeaders = headers.filter(([name]) => /^(?:x-)?idempotency-key$/i.test(name))
  const keys = [...inHeaders.map(([, value]) => value), ...(typeof key === 'string' ? [key] : [])]
  return { id, keys, message: sha256(message) }
}

/** Two turns: another key, and where the message is the same one that no reading of keys takes for the same. */
function differ(one: Request, other: Request): boolean {
  const isOther =
    one.keys.length > 0 && other.keys.length > 0 && !one.keys.some((key) => other.keys.includes(key))
  if (one.message !== other.message) return isOther
  const [plain, others] = [one, other].map(({ keys }) =>
    keys.map((key) => key.toLowerCase().replaceAll(/[^a-z\d]/g, '')),
  )
  return isOther && !plain?.some((key) => others?.includes(key))
}
