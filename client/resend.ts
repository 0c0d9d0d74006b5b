/** The one thing that is ever sent again, and only when asked: the same bytes, while the first are being worked on. */
import { pause } from './clock.ts'
import { ServiceError } from './errors.ts'

/** After `REQUEST_IN_PROGRESS`: wait so long, then send the same again with the same key, so many times at the most. */
export interface Resend {
  readonly waitMs: number
  readonly times: number
}

const isInProgress = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'REQUEST_IN_PROGRESS'

/** `send` has to send the same each time. Waits longer where the service says so. */
export async function resending<T>(
  send: () => Promise<T>,
  how: Resend | undefined,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let left = how?.times ?? 0; ; left--) {
    try {
      return await send()
    } catch (error) {
      if (left <= 0 || !isInProgress(error)) throw error
      await pause(Math.max(how?.waitMs ?? 0, (error.retryAfterSeconds ?? 0) * 1000), signal)
    }
  }
}
