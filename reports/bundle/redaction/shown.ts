/** What a target shows to everybody: a secret that equals it is none, and to take it out would break the evidence. */
import type { Header } from '../exchange.ts'

export interface ShownValues {
  /** A header may show what a cookie holds, such as the name of a server; the secret of a webhook is one also there. */
  has(value: string, kind: 'webhook-secret' | 'cookie'): boolean
  /** A text of ours, such as the plan of the run. */
  publish(text: string): void
  /** The headers and the body of a response. */
  see(headers: readonly Header[], body: string): void
}

/** Texts of a kind that are remembered; each of at most so many characters. */
const most = { texts: 100_000, characters: 200 }
/**
 * Members that name something, such as `id`, `conversation_id` and `agentId`; none that may give access. Each part is
 * bounded, or a name of a megabyte would take minutes.
 */
const id = new RegExp(
  String.raw`"(?!\w{0,60}(?:auth|key|secret|session|token))(?:\w{0,60}_)?(?:id|[a-z]\w{0,60}Id)"\s{0,9}:\s{0,9}"([^"\\]{8,${most.characters}})"`,
  'g',
)

const mayLetIn = /auth|cookie|key|secret|session|signature|token/i

export function createShown(): ShownValues {
  const [ids, inHeaders] = [new Set<string>(), new Set<string>()]
  let ours = ''
  const add = (text: string, to: Set<string>): void => {
    if (to.size < most.texts && text.length <= most.characters) to.add(text)
  }
  return {
    has: (value, kind) =>
      ids.has(value) || ours.includes(value) || (kind === 'cookie' && inHeaders.has(value)),
    publish: (text) => void (ours += text),
    see(headers, body) {
      for (const [name, value] of headers) if (!mayLetIn.test(name)) add(value, inHeaders)
      for (const [, value = ''] of body.matchAll(id)) add(value, ids)
    },
  }
}
