/** Somebody's word for what was looked at elsewhere. It is shown, and is never a pass. */
import type { Provision } from '../../../config/provided.ts'
import { NotEntered, type StateProvider } from './provider.ts'

export const attest: StateProvider<'attest'> = {
  enter: (_, provision) =>
    Promise.reject(new NotEntered(attestation(provision), { reason: 'attested', mayHold: false })),
  leaver: () => null,
}

export function attestation({ by, on, note }: Provision<'attest'>): string {
  return `attested by ${by} on ${on}: ${note}`
}
