/** Endpoints that keep failing and are not paused, or not only paused. */
import { fault, type Fault } from '../../modification/modification.ts'

export const endpointPauseFaults = {
  'endpoint-never-paused': fault({
    title: 'An endpoint that keeps failing gets every delivery.',
    breaks: ['ATT-PAUSE'],
    rules: () => ({ endpointPause: { after: Number.POSITIVE_INFINITY, ms: 0 } }),
  }),
  'endpoint-paused-for-good': fault({
    title: 'An endpoint that was paused gets nothing ever after.',
    breaks: ['ATT-PAUSE-ENDS'],
    rules: (rules) => ({ endpointPause: { ...rules.endpointPause, ms: Number.POSITIVE_INFINITY } }),
  }),
  'pause-turns-off': fault({
    title: 'An endpoint that keeps failing turns its webhook off.',
    breaks: ['ATT-PAUSE-ACTIVE'],
    rules: () => ({ pauseTurnsOff: true }),
  }),
} as const satisfies Record<string, Fault>
