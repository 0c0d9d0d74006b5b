/** Prompts for states that a person at the terminal enters (`provide: manual`). */
import type { Asking } from '../../suites/runner/states/providers/provider.ts'
import type { Io } from '../io.ts'

/** Prints the instruction and waits for Enter; `n` means that it is not possible. Undefined without a terminal. */
export function personAt({
  err,
  question,
}: Pick<Io, 'err' | 'question'>): ((asking: Asking, stop: AbortSignal) => Promise<boolean>) | undefined {
  if (!question) return undefined
  return async ({ state, is, text, timeoutSeconds }, stop) => {
    err(`\n${is === 'enter' ? 'Needed for' : 'No longer needed:'} ${state}\n  ${text}\n`)
    const answer = await question(
      `  Press Enter when done, or n if it is not possible (${timeoutSeconds} s): `,
      stop,
    )
    return !/^n/i.test(answer.trim())
  }
}
