/** How long a call waits for the next sign of life, and who else may end it. */

/** The one place of the library that reads the clock and sets timers. */
/* oxlint-disable no-restricted-globals, no-restricted-properties */

export const now = (): number => Date.now()

/** A timer of more than this fires at once. */
const longest = 2 ** 31 - 1

/** Runs once after so many ms; call the result to forget it. */
export function afterDelay(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, Math.min(ms, longest))
  return () => clearTimeout(timer)
}

/** Resolves after so many ms; rejects with the reason of the signal as soon as that fires. */
export function delayFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => {
      forget()
      reject(signal?.reason as Error)
    }
    const forget = afterDelay(ms, () => {
      signal?.removeEventListener('abort', aborted)
      resolve()
    })
    if (signal?.aborted) aborted()
    else signal?.addEventListener('abort', aborted, { once: true })
  })
}

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
