/** What can happen to the next request, as buttons. */
import type { Schemas } from '../state/api.ts'

type NetworkFault = Schemas['NetworkFault']

export interface Preset {
  readonly label: string
  /** What a client sees. */
  readonly effect: string
  readonly fault: NetworkFault
}

const refusal = (code: Schemas['RefusalCode'], more = {}): NetworkFault => ({
  do: { is: 'refuse', code, ...more },
})

export const presets: readonly Preset[] = [
  {
    label: '429',
    effect: 'Refused: too many requests; no turn runs.',
    fault: refusal('RATE_LIMITED', { retryAfterSeconds: 2 }),
  },
  { label: '500', effect: 'A server error before the turn; nothing ran.', fault: refusal('SERVER_ERROR') },
  { label: '503', effect: 'Not available; nothing ran.', fault: refusal('UNAVAILABLE') },
  { label: '402', effect: 'Refused: not enough credits.', fault: refusal('INSUFFICIENT_CREDITS') },
  {
    label: 'Cut before',
    effect: 'The connection ends before the turn; nothing ran.',
    fault: { do: { is: 'cut', when: 'before' } },
  },
  {
    label: 'Cut in the response',
    effect: 'The turn runs; the response breaks off after 40 bytes.',
    fault: { do: { is: 'cut', when: 'in', bytes: 40 } },
  },
  {
    label: 'Cut after',
    effect: 'The turn runs and is charged; no byte of the response arrives.',
    fault: { do: { is: 'cut', when: 'after' } },
  },
  { label: 'Wait 5 s', effect: 'The response comes 5 s later.', fault: { do: { is: 'wait', ms: 5_000 } } },
  {
    label: 'Split at every byte',
    effect: 'A stream arrives byte by byte.',
    fault: { do: { is: 'encode', as: { writes: 'every-byte', gapMs: 1 } } },
  },
]
