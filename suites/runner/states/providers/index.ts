/** The providers of the state providers, by the word that a target file has for each. */
import type { Provide, Provision } from '../../../config/provided.ts'
import { attest } from './attest.ts'
import { control } from './control.ts'
import { exec } from './exec.ts'
import { fixture } from './fixture.ts'
import { http } from './http.ts'
import { manual } from './manual.ts'
import { none } from './none.ts'
import type { Entered, StateProvider, ProviderEntry } from './provider.ts'
import { wire } from './wire.ts'

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
