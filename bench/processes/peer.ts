/** An alternative to the simulator. */
import type { ReadinessProbe } from './server-process.ts'
import type { Turn } from './turn.ts'

export interface Peer {
  name: string
  /** The arguments of Node; `--port` is appended. */
  command: readonly string[]
  ready: ReadinessProbe
  /** What is sent instead of a turn of ours, if it answers another API. `extra`: further members of the body. */
  turn?: (message: string, extra?: object) => Turn
}

/** Those that mock our document have no health route, so a mocked turn shows when they are ready. */
export const mockedTurn: ReadinessProbe = {
  method: 'POST',
  path: '/api/v1/chat/agent',
  headers: {
    authorization: 'Bearer sk-bench',
    'content-type': 'application/json',
    accept: 'application/json',
  },
  body: '{"message":"hello","idempotency_key":"bench"}',
}
