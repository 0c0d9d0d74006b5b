/** The one thing that is ever sent again, and only when asked: the same bytes, while the first are being worked on. */
import { delayFor } from './clock.ts'
import { InvalidCall, ServiceError } from '../errors.ts'

/** After `REQUEST_IN_PROGRESS`: wait so long, then send the same again with the same key, so many times at the most. */
export interface Resend {
  readonly waitMs: number
  readonly times: number
}

const isInProgress = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'REQUEST_IN_PROGRESS'

/** Without a wait, or with one that is no number, the service would be asked again without a pause. */
function check({ waitMs, times }: Resend): void {
  if (typeof waitMs !== 'number' || !(waitMs >= 0))
    throw new InvalidCall(
      `\`resendInProgress.waitMs\` is ${String(waitMs)}.`,
      'Give milliseconds, 0 or more.',
    )
  if (!Number.isInteger(times) || times < 0)
    throw new InvalidCall(
      `\`resendInProgress.times\` is ${String(times)}.`,
      'Give a whole number, 0 or more.',
    )
}

/** `send` has to send the same each time. Waits longer where the service says so. Rejects with `InvalidCall`. */
export async function resending<T>(
  send: () => Promise<T>,
  how: Resend | undefined,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (how !== undefined) check(how)
  for (let left = how?.times ?? 0; ; left--) {
    try {
      return await send()
    } catch (error) {
      if (left <= 0 || !isInProgress(error)) throw error
      await delayFor(Math.max(how?.waitMs ?? 0, (error.retryAfterSeconds ?? 0) * 1000), signal)
    }
  }
}
