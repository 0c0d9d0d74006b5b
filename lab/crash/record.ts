/**
 * What the clients know for certain: every turn they sent, and what came of it. Held against what the service says
 * and does later, it shows a turn that was lost or ran twice.
 */

export interface Turn {
  readonly key: string
  readonly stream: boolean
  /** How often it was sent. */
  sent: number
  /** What it came to once, and has to come to ever after; `open`: nobody knows yet. */
  state: 'open' | 'completed' | 'uncertain'
  conversation: string
  /** What it cost, in credits. */
  used: number
}

/** One answer as a client saw it. `nothing`: none came, or it broke off, or the service said to come again. */
export type Seen =
  | { readonly is: 'nothing' }
  | { readonly is: 'reply'; readonly conversation: string; readonly used: number; readonly text: string }
  | { readonly is: 'uncertain' }
  | { readonly is: 'other'; readonly words: string }

export interface Record {
  readonly turns: readonly Turn[]
  readonly broken: readonly string[]
  /** A turn that was not sent before. */
  fresh(): Turn
  note(turn: Turn, seen: Seen): void
}

export const messageOf = ({ key }: Turn): string => `Turn ${key}, please.`

export function createRecord(): Record {
  const turns: Turn[] = []
  const broken: string[] = []
  const complain = ({ key, state }: Turn, words: string): void =>
    void broken.push(`the turn ${key}, ${state} before: ${words}`)

  const reply = (turn: Turn, seen: Extract<Seen, { is: 'reply' }>): void => {
    if (!seen.text.includes(turn.key)) complain(turn, `the reply is of another one: ${seen.text}`)
    if (turn.state === 'uncertain') complain(turn, 'an uncertain turn was run')
    if (turn.state === 'completed' && turn.conversation !== seen.conversation)
      complain(turn, `it ran again, in ${seen.conversation} after ${turn.conversation}`)
    Object.assign(turn, { state: 'completed', conversation: seen.conversation, used: seen.used })
  }
  return {
    turns,
    broken,
    fresh: () => {
      const key = `turn-${turns.length + 1}-of-a-crash-test`
      const turn: Turn = {
        key,
        stream: turns.length % 3 === 0,
        sent: 0,
        state: 'open',
        conversation: '',
        used: 0,
      }
      turns.push(turn)
      return turn
    },
    note: (turn, seen) => {
      if (seen.is === 'reply') return reply(turn, seen)
      if (seen.is === 'other') return complain(turn, seen.words)
      if (seen.is === 'nothing') return
      if (turn.state === 'completed') complain(turn, 'it is uncertain now: a completed turn was lost')
      if (turn.sent === 1) complain(turn, 'it is uncertain, though it was never sent before')
      turn.state = 'uncertain'
    },
  }
}
