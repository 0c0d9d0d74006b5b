/** The person at the terminal, who can bring a state about that nothing else can. */
import type { Asking } from '../../suites/runner/states/providers/provider.ts'
import type { Io } from '../io.ts'

/** Asks on stderr and waits for Enter; `n` says that it cannot be done. Undefined where nobody is there. */
export function personAt({
  err,
  question,
}: Pick<Io, 'err' | 'question'>): ((asking: Asking, stop: AbortSignal) => Promise<boolean>) | undefined {
  if (!question) return undefined
  return async ({ state, is, text, timeoutSeconds }, stop) => {
    err(`\n${is === 'enter' ? 'Needed for' : 'No longer needed:'} ${state}\n  ${text}\n`)
    const answer = await question(`  Enter when it is done, n if it cannot be (${timeoutSeconds} s): `, stop)
    return !/^n/i.test(answer.trim())
  }
}
