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
