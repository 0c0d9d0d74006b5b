/** A person is asked, and waited for. */
import type { Provision } from '../../target/provided.ts'
import { filled } from '../../target/template.ts'
import { withDeadline } from './deadline.ts'
import { clearly, NotEntered, nothing, unclear, unprovided, type Rung, type Visit } from './rung.ts'

type Manual = Provision<'manual'>

export const manual: Rung<'manual'> = {
  async enter(visit, provision) {
    if (!visit.means.ask)
      throw new NotEntered(
        'a person has to be asked for it, and nobody is there; run in a terminal',
        unprovided,
      )
    const done = await ask('enter', provision.instruction, visit, provision).catch((thrown: unknown) => {
      throw new NotEntered(`the wait for a person ${wordsOf(thrown)}`, unclear)
    })
    if (!done) throw new NotEntered('the person who was asked could not do it', clearly)
    return nothing
  },
  leaver(provision) {
    const { undo } = provision
    if (undo === undefined) return null
    return async (visit) => {
      if (!visit.means.ask) throw new Error(`nobody is there to be asked: ${filled(undo, visit.about)}`)
      const done = await ask('leave', undo, visit, provision).catch((thrown: unknown) => {
        throw new Error(`the wait for a person ${wordsOf(thrown)}: ${filled(undo, visit.about)}`)
      })
      if (!done) throw new Error(`the person who was asked could not do it: ${filled(undo, visit.about)}`)
    }
  },
}

function ask(
  is: 'enter' | 'leave',
  words: string,
  { state, about, means, signal }: Visit,
  { timeoutSeconds }: Manual,
): Promise<boolean> {
  const asking = { state, is, text: filled(words, about), timeoutSeconds }
  return withDeadline({ clock: means.clock, seconds: timeoutSeconds, signal }, (stop) =>
    Promise.race([means.ask?.(asking, stop) ?? false, ended(stop)]),
  )
}

function ended(stop: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void =>
      reject(stop.reason instanceof Error ? stop.reason : new Error(String(stop.reason)))
    if (stop.aborted) end()
    stop.addEventListener('abort', end, { once: true })
  })
}

function wordsOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
