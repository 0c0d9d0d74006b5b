/** A person is asked, and waited for. */
import type { Provision } from '../../../config/provided.ts'
import { fillTemplate } from '../../../config/template.ts'
import { withDeadline } from './deadline.ts'
import {
  clearly,
  NotEntered,
  noLeave,
  unclear,
  unprovided,
  type StateProvider,
  type ProviderEntry,
} from './provider.ts'
import { errorMessage } from '../../../../reports/bundle/text.ts'

type Manual = Provision<'manual'>

export const manual: StateProvider<'manual'> = {
  async enter(entry, provision) {
    if (!entry.deps.ask)
      throw new NotEntered(
        'a person has to be asked for it, and nobody is there; run in a terminal',
        unprovided,
      )
    const done = await ask('enter', provision.instruction, entry, provision).catch((thrown: unknown) => {
      throw new NotEntered(`the wait for a person ${errorMessage(thrown)}`, unclear)
    })
    if (!done) throw new NotEntered('the person who was asked could not do it', clearly)
    return noLeave
  },
  leaver(provision) {
    const { undo } = provision
    if (undo === undefined) return null
    return async (entry) => {
      if (!entry.deps.ask) throw new Error(`nobody is there to be asked: ${fillTemplate(undo, entry.about)}`)
      const done = await ask('leave', undo, entry, provision).catch((thrown: unknown) => {
        throw new Error(`the wait for a person ${errorMessage(thrown)}: ${fillTemplate(undo, entry.about)}`)
      })
      if (!done)
        throw new Error(`the person who was asked could not do it: ${fillTemplate(undo, entry.about)}`)
    }
  },
}

function ask(
  is: 'enter' | 'leave',
  words: string,
  { state, about, deps, signal }: ProviderEntry,
  { timeoutSeconds }: Manual,
): Promise<boolean> {
  const asking = { state, is, text: fillTemplate(words, about), timeoutSeconds }
  return withDeadline({ clock: deps.clock, seconds: timeoutSeconds, signal }, (stop) =>
    Promise.race([deps.ask?.(asking, stop) ?? false, ended(stop)]),
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
