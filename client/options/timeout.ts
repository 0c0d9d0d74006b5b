/** How long a call waits for the next sign of life, and who else may end it. */
import { afterDelay } from '../http/clock.ts'

export interface InactivityTimeout {
  readonly signal: AbortSignal
  /** Whether it was over before the request was. */
  readonly isOver: boolean
  /** It waits as long again. */
  renew(): void
  /** Nobody is waiting for now, so that nobody can wait too long. */
  rest(): void
  end(): void
}

/** `given`: the signal of the caller, whose reason is handed on. */
export function createInactivityTimeout(ms: number, given?: AbortSignal): InactivityTimeout {
  const controller = new AbortController()
  let isOver = false
  const over = (): void => {
    isOver = true
    controller.abort()
  }
  const aborted = (): void => controller.abort(given?.reason)
  let forget = afterDelay(ms, over)
  if (given?.aborted) aborted()
  else given?.addEventListener('abort', aborted, { once: true })
  return {
    signal: controller.signal,
    get isOver() {
      return isOver
    },
    renew: () => {
      forget()
      if (!controller.signal.aborted) forget = afterDelay(ms, over)
    },
    rest: () => forget(),
    end: () => {
      forget()
      given?.removeEventListener('abort', aborted)
      controller.abort()
    },
  }
}
