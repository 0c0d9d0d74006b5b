/** The goals, by the id of their row: a minimum where higher is better, a maximum otherwise. */
export interface Goal {
  /** Of our own figure or of its ratio to theirs. */
  of: 'ours' | 'ratio'
  value: number
}

const ours = (value: number): Goal => ({ of: 'ours', value })
const ratio = (value: number): Goal => ({ of: 'ratio', value })

export const goals: Readonly<Record<string, Goal>> = {
  'startup/command': ours(250),
  'startup/prism-mock': ratio(0.2),
  'turns/bare-node-http': ratio(0.6),
  'turns/prism-mock': ratio(8),
  'turns/aimock': ratio(1),
  'streams/in-one-go': ratio(0.6),
  'streams/flushed': ratio(0.9),
  'streams/flushed-aimock': ratio(1),
  'openStreams/memory': ratio(1.3),
  'openStreams/lost': ours(0),
  'profile/wall': ours(6),
  'profile/busy': ours(2),
  'profile/requests': ours(1_500),
  'signedDeliveries/undici': ratio(0.75),
  'deadEndpoints/ten': ratio(0.95),
  'deadEndpoints/every-turn': ratio(0.95),
  'properties/fast-check': ratio(0.65),
  'report/size': ours(1),
  'report/made': ours(500),
  'report/shown': ours(500),
  'killMatrix/wall': ours(60),
  'keys/each': ours(500),
  'keys/flat': ratio(1.1),
  'keys/usable': ratio(0.8),
}
