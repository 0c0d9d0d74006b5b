/**
 * Whether a service gives the same reply whatever it is asked. Then a reply says nothing about its request, and no
 * check passes that rests on such replies alone. Why: docs/decisions/0026-the-same-reply-shows-nothing.md
 */
import { canonical, fields } from '../../assertions/reply.ts'
import { asked } from '../../assertions/turn.ts'
import { sha256 } from '../../../reports/bundle/seal/digest.ts'
import type { Finding, Merged, Opening } from '../../../reports/bundle/record.ts'
import type { Exchange } from '../../wire/exchange.ts'

/** Two requests for conversations of their own that got one reply. */
type Twins = readonly [first: Exchange, second: Exchange]

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
  if (target.kind === 'client') return { without: (findings) => findings }
  /** Each shard may have met a service of its own, and services that number alike give the same replies. */
  const inItsShard = (exchange: Exchange): readonly string[] =>
    marksOf(exchange).map((mark) => `${exchange.id % (merged?.of ?? 1)} ${mark}`)
  const firsts = new Map<string, Exchange>()
  const twins = new Map<string, Twins>()
  const marks = new Map<number, readonly string[]>()
  let looked = 0

  function look(): void {
    for (const exchange of journal.slice(looked)) {
      if (exchange.inbound || exchange.response === null) continue
      const own = inItsShard(exchange)
      marks.set(exchange.id, own)
      if (beginsConversation(exchange)) for (const mark of own) meet(mark, exchange)
    }
    looked = journal.length
  }

  function meet(mark: string, exchange: Exchange): void {
    const first = firsts.get(mark)
    if (!first) firsts.set(mark, exchange)
    else if (!twins.has(mark) && differ(first, exchange)) twins.set(mark, [first, exchange])
  }

  const twinsOf = (own: readonly string[] = []): Twins | undefined =>
    own.map((mark) => twins.get(mark)).find((found) => found !== undefined)

  return {
    without(findings) {
      look()
      if (twins.size === 0) return findings
      return findings.map((finding) => {
        if (finding.verdict !== 'pass') return finding
        const rests = finding.evidence.flatMap((id) => (marks.has(id) ? [twinsOf(marks.get(id))] : []))
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

/** A turn of chat that goes on with nothing. */
function beginsConversation(exchange: Exchange): boolean {
  const { path, method } = exchange.request
  const { message, conversation_id: id, interaction } = asked(exchange) ?? {}
  const begins = typeof message === 'string' && id === undefined && interaction === undefined
  return begins && method === 'POST' && path.startsWith('/api/v1/chat/')
}

/** Two turns: another key, and where the message is the same one that no reading of keys takes for the same. */
function differ(one: Exchange, other: Exchange): boolean {
  const keys = [one, other].map(keysOf)
  const isOther = keys.every((own) => own.length > 0) && !keys[0]?.some((key) => keys[1]?.includes(key))
  if (asked(one)?.['message'] !== asked(other)?.['message']) return isOther
  const plain = keys.map((own) => own.map((key) => key.toLowerCase().replaceAll(/[^a-z\d]/g, '')))
  return isOther && !plain[0]?.some((key) => plain[1]?.includes(key))
}

/** Every key that a request carries, wherever. */
function keysOf(exchange: Exchange): readonly string[] {
  const inHeaders = exchange.request.headers.filter(([name]) => /^(?:x-)?idempotency-key$/i.test(name))
  const inBody = asked(exchange)?.['idempotency_key']
  return [...inHeaders.map(([, key]) => key), ...(typeof inBody === 'string' ? [inBody] : [])]
}
