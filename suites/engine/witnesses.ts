/**
 * What shows that a state does not hold, whatever its provider says. A witness looks at something else than
 * the clauses of the state, because otherwise a target that breaks the clause would pass for one that is not
 * in the state. Where only the clause itself would show it, there is no witness and the provider is believed.
 */
import type { StateId } from '../../spec/index.ts'
import { fields } from '../judge/reply.ts'
import type { Exchange } from '../wire/exchange.ts'

export type Witness =
  /** Words for what speaks against the state in the answer to a plain message, or null. */
  { refutes: (plain: Exchange) => string | null } | { without: string }

const story = { without: 'the story itself shows it in its first answer' }

export const witnesses: Readonly<Record<StateId, Witness>> = {
  'chat.paused': {
    refutes(plain) {
      const reply = fields(plain)
      const active = reply && reply['customer_message'] === undefined && Boolean(reply['response'])
      return active ? 'a plain message got a reply and no `customer_message`' : null
    },
  },
  'credits.exhausted': {
    refutes(plain) {
      const left = fields(plain)?.['credits_remaining']
      return typeof left === 'number' && left > 0 ? `a turn ran and ${left} credits are left` : null
    },
  },
  'turn.slow': { without: 'a race needs overlap, and says so when there was none' },
  'key.uncertain': { without: 'the refusal of the key is the clause itself' },
  'workflow.current': story,
  'rate.limited': { without: 'the 429 is the clause itself' },
  'server.500': { without: 'it may hold for one request only, which is the story’s' },
  'server.503': { without: 'it may hold for one request only, which is the story’s' },
  'stream.tool': story,
  'stream.gate': story,
  'stream.error': story,
  'plan.disallows': { without: 'the 403 is the clause itself' },
}
