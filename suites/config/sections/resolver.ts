/** The name server of a run, as a target file declares it. */
import { BlockList, isIP } from 'node:net'
import { certificateIn } from './certificates.ts'
import { complain, type Reading } from '../file/source-map.ts'
import type { MovingZone, Receiver, WrittenResolver } from '../target.ts'

const at = (name: keyof WrittenResolver) => ['receiver', 'resolver', name] as const

export function resolverIn(
  written: WrittenResolver,
  { mode }: Partial<Pick<Receiver, 'mode'>>,
  reading: Reading,
): MovingZone {
  const { first = null, later = mode === 'loopback' ? '127.0.0.1' : null } = written
  const { rebinding = first === null } = written
  if (first === null && mode !== 'public')
    complain(
      at('zone'),
      'has names that lead nowhere at first; add receiver.resolver.first, a public address of your own',
      reading,
    )
  for (const [name, address] of [['first', first] as const, ['later', later] as const])
    if (address !== null && isIP(address) === 0)
      complain(at(name), `is "${address}"; give an IP address`, reading)
  if (first !== null && isPrivate(first))
    complain(at('first'), `is ${first}, which is private; give a public address of your own`, reading)
  if (later !== null && isIP(later) !== 0 && !isPrivate(later))
    complain(at('later'), `is ${later}, which is public; give a private address of this machine`, reading)
  const { listen, zone } = written
  return { listen, zone, first, later, rebinding, certificate: certificateIn(written, reading) }
}

// One list per family: one for both takes every IPv4 address for an IPv4-mapped one.
const ipv4 = new BlockList()
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  ipv4.addSubnet(network, prefix, 'ipv4')
const ipv6 = new BlockList()
ipv6.addAddress('::1', 'ipv6')
ipv6.addSubnet('fc00::', 7, 'ipv6')
ipv6.addSubnet('fe80::', 10, 'ipv6')

/** Of the private ranges and this machine: what any guard has to block. */
function isPrivate(address: string): boolean {
  return isIP(address) === 4 ? ipv4.check(address, 'ipv4') : ipv6.check(address, 'ipv6')
}
