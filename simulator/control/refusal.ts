/** What a control handler throws to refuse. */
import type { HeaderLine } from '../server/reply.ts'

/** The message says what to do. */
export class ControlRefusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 415
  readonly headers: readonly HeaderLine[]

  constructor(status: ControlRefusal['status'], message: string, headers: readonly HeaderLine[] = []) {
    super(message)
    this.status = status
    this.headers = headers
  }
}
