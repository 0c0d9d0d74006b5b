/** Hosts that no delivery may reach, as text for an endpoint, and which of them lead to this machine. */
import { networkInterfaces } from 'node:os'

type Kind = 'private' | 'internal' | 'spelled'
type List = Kind | 'excused'

interface Host {
  kind: Kind
  /** As it stands in a URL. */
  host: string
  /** It leads to the machine that the target runs on, which a service in development may deliver to. */
  loopback: boolean
}

const of = (kind: Kind, loopback: boolean, ...hosts: readonly string[]): readonly Host[] =>
  hosts.map((host) => ({ kind, host, loopback }))

/** Nothing is sent to these: they are only offered. Each of the spelt ones is 10.0.0.1 or 169.254.169.254. */
export const foreign: readonly Host[] = [
  ...of('private', false, '10.0.0.1', '10.255.255.254', '172.16.0.1', '172.31.255.254', '192.168.0.1'),
  ...of('internal', false, '169.254.169.254', '[fe80::1]', '[fc00::1]', '[fd00:ec2::254]'),
  ...of('spelled', false, '167772161', '0x0a000001', '012.0.0.1', '10.1', '10.0.0.1.', '１０.０.０.１'),
  ...of('spelled', false, '[::ffff:10.0.0.1]', '[::ffff:a00:1]', '2852039166', '[::ffff:a9fe:a9fe]'),
]

/** Ranges of which no sentence of the contract is certain to speak; recorded, never judged. */
export const doubtful: readonly string[] = [
  '0.0.0.0',
  '100.64.0.1',
  '[::]',
  '[64:ff9b::a00:1]',
  '[2002:a00:1::1]',
  '[2001:0:a00:1::1]',
]

/** The machine itself: where our receiver is on it, what comes by these came from where nothing may come. */
const loopback: readonly Host[] = [
  ...of('internal', true, '127.0.0.1', '[::1]'),
  ...of('spelled', true, '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '127.0.0.1.', '１２７.０.０.１'),
  ...of('spelled', true, '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'),
]

/** Every blocked way to this machine; loopback is none that is forbidden to a service in development. */
export function waysHere({ development }: { development: boolean }): readonly (readonly [List, string])[] {
  return [...ownHosts(), ...loopback].map(({ kind, host, loopback: isLoopback }) => [
    isLoopback && development ? 'excused' : kind,
    host,
  ])
}

/** Addresses of this machine that no delivery may reach in development either. */
export function ownHosts(interfaces = networkInterfaces()): readonly Host[] {
  const addresses = Object.values(interfaces).flatMap((list) => (list ?? []).map(({ address }) => address))
  const found = [...new Set(addresses)]
  const four = found.find((address) => privateFour.test(address))
  const six = found.find((address) => /^f[cd][0-9a-f]{2}:/i.test(address))
  return [
    ...(four ? of('private', false, four) : []),
    ...(four ? of('spelled', false, numberOf(four), `[::ffff:${four}]`) : []),
    ...(six ? of('internal', false, `[${six}]`) : []),
  ]
}

const privateFour = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/

/** An IPv4 address as one number. */
function numberOf(address: string): string {
  return String(address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0))
}
