/** Where the target can reach us. */
import { defaultReceiver } from '../defaults.ts'
import { resolverIn } from './resolver.ts'
import { address, complain, valueAt, type Reading } from '../file/reading.ts'
import type { Receiver } from '../target.ts'
import type { TargetFile } from '../file/written.ts'

const at = (name: keyof Receiver) => ['receiver', name] as const

export function receiverIn({ receiver = {} }: TargetFile, reading: Reading): Receiver {
  const { publicUrl } = receiver
  const whole: Receiver = {
    ...defaultReceiver,
    ...receiver,
    resolver: receiver.resolver === undefined ? null : resolverIn(receiver.resolver, receiver, reading),
    publicUrl:
      publicUrl == null ? null : secureAddress(valueAt(publicUrl, at('publicUrl'), reading), reading),
  }
  if (whole.mode === 'public' && whole.publicUrl === null)
    complain(at('mode'), 'is public, but no address is given; add receiver.publicUrl', reading)
  if (whole.mode !== 'public' && whole.publicUrl !== null)
    complain(at('publicUrl'), `is given, but receiver.mode is ${whole.mode}; make it public`, reading)
  return whole
}

/** Endpoints have to be https, by the contract. */
function secureAddress(url: string, reading: Reading): string {
  const place = address(url, at('publicUrl'), reading)
  if (place.startsWith('http:'))
    complain(at('publicUrl'), `is "${url}"; give an https address, as endpoints have to have`, reading)
  return place
}
