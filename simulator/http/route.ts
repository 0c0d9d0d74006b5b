/** Which handler answers a method and a path. */
import type { Call } from './call.ts'
import type { Reply } from './reply.ts'

/** A route that belongs to no world, such as the health check or the control plane. */
export interface Route {
  method: string
  /** With parameters as `:name`. */
  path: string
  handle(call: Call): Reply | Promise<Reply>
}
