/** What a target shows to everybody: a secret that equals it is none, and to take it out would break the evidence. */
import type { Header } from '../exchange.ts'

export interface Shown {
  has(value: string): boolean
  /** A text of ours, such as the plan of the run. */
  publish(text: string): void
  /** The headers and the body of a response. */
  see(headers: readonly Header[], body: string): void
}

/** Texts that are remembered; each of at most so many characters. */
const most = { texts: 100_000, characters: 200 }
/** Members that name something, such as `id`, `conversation_id` and `agentId`; none that may let somebody in. */
const id = new RegExp(
  String.raw`"(?!\w*(?:auth|key|secret|session|token))(?:\w*_)?(?:id|[a-z]\w*Id)"\s*:\s*"([^"\\]{8,${most.characters}})"`,
  'g',
)

export function createShown(): Shown {
  const texts = new Set<string>()
  let ours = ''
  const add = (text: string): void => {
    if (texts.size < most.texts && text.length <= most.characters) texts.add(text)
  }
  return {
    has: (value) => texts.has(value) || ours.includes(value),
    publish: (text) => void (ours += text),
    see(headers, body) {
      for (const [name, value] of headers) if (name.toLowerCase() !== 'set-cookie') add(value)
      for (const [, value = ''] of body.matchAll(id)) add(value)
    },
  }
}
