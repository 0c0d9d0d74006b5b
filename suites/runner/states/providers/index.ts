/** The state providers, by their names in a target file. */
import type { Provide, Provision } from '../../../config/provided.ts'
import {
  control,
  noLeave,
  NotEntered,
  unprovided,
  type Entered,
  type StateProvider,
  type ProviderEntry,
  attest,
  manual,
} from './provider.ts'
import { http, exec } from './hooks.ts'

const wire: StateProvider<'wire'> = {
  enter: () => Promise.resolve(noLeave),
  leaver: () => null,
}

const fixture: StateProvider<'fixture'> = {
  enter: () => Promise.resolve(noLeave),
  leaver: () => null,
}

const none: StateProvider<'none'> = {
  enter: (_, { why }) => Promise.reject(new NotEntered(why, unprovided)),
  leaver: () => null,
}

type Providers = { readonly [P in Provide]: StateProvider<P> }

const providers: Providers = { wire, fixture, control, http, exec, manual, attest, none }

/** Throws NotEntered. */
export function enterBy<P extends Provide>(provision: Provision<P>, entry: ProviderEntry): Promise<Entered> {
  const provider: Providers[P] = providers[provision.provide]
  return provider.enter(entry, provision)
}

/** How it is left again; null where there is nothing to undo. */
export function leaver<P extends Provide>(
  provision: Provision<P>,
): ((entry: ProviderEntry) => Promise<void>) | null {
  const provider: Providers[P] = providers[provision.provide]
  return provider.leaver(provision)
}
