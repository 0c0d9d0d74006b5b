import { expect, test } from 'vitest'
import {
  foreign,
  ownBlockedAddresses,
  publicAddressHere,
  blockedAddressesHere,
  mostBlockedAddresses,
} from './hosts.ts'

const machine = (...addresses: readonly string[]) => ({ eth0: addresses.map((address) => ({ address })) })

test('own addresses are returned in every notation', () => {
  const ways = ownBlockedAddresses(machine('192.0.2.2', '172.31.0.5', 'fe80::1', 'fd00::2:0:7'))
  expect(ways.map(({ list, host, address }) => [list, host, address])).toEqual([
    ['private', '172.31.0.5', '172.31.0.5'],
    ['spelled', '2887712773', '172.31.0.5'],
    ['spelled', '[::ffff:172.31.0.5]', '172.31.0.5'],
    ['internal', '[fd00::2:0:7]', 'fd00::2:0:7'],
    ['spelled', '[FD00:0000:0000:0000:0000:0002:0000:0007]', 'fd00::2:0:7'],
  ])
})

test('a URL parser reads every notation as its address', () => {
  const ways = [
    ...ownBlockedAddresses(machine('10.1.2.3', 'fd12:3456::1')),
    ...blockedAddressesHere({ development: false }),
  ]
  const hosts = ways.map(({ host, address }) => [URL.parse(`http://${host}/`)?.hostname, address])
  const same = hosts.filter(([host, address]) => host?.replace(/^\[|\]$/g, '') === address)
  const mapped = hosts.filter(([host]) => host?.startsWith('[::ffff:'))
  const dotted = hosts.filter(([host]) => host === '127.0.0.1.')
  expect(same.length + mapped.length + dotted.length).toBe(ways.length)
})

test('a machine with public addresses only has no way of its own', () => {
  expect(ownBlockedAddresses(machine('172.32.0.1', '8.8.8.8', '2606:4700::1'))).toEqual([])
})

test('development excuses the loopback and nothing else', () => {
  const listsOf = (development: boolean) =>
    new Set(blockedAddressesHere({ development }).map(({ list }) => list))
  expect(listsOf(false).has('excused')).toBe(false)
  expect(
    blockedAddressesHere({ development: true }).every(
      ({ list, address }) => (list === 'excused') === /^(?:127\.|::1)/.test(address),
    ),
  ).toBe(true)
  const most = machine('10.0.0.1', '10.0.0.2', '172.31.0.5', '192.168.0.1', 'fd00::1')
  expect(blockedAddressesHere({ development: false }, { ...most, lo: [{ address: '::1' }] }).length).toBe(
    mostBlockedAddresses,
  )
})

test('whatever is blocked by itself is a way over HTTPS, too', () => {
  const ways = blockedAddressesHere({ development: true }, machine('10.0.0.1', 'fd00::1'))
  expect(ways.filter(({ isSecure }) => isSecure).map(({ host }) => host)).toEqual(['10.0.0.1', '[fd00::1]'])
})

test.for([
  ['93.184.216.34', '93.184.216.34'],
  ['2606:4700::1', '[2606:4700::1]'],
  ...['10.0.0.1', '100.64.0.1', '127.0.0.1', '169.254.1.1', '172.31.0.5', '192.0.2.2', '192.168.0.1'].map(
    (one) => [one, undefined] as const,
  ),
  ...[
    '198.18.0.1',
    '203.0.113.1',
    '::1',
    'fd00::1',
    'fe80::1',
    '2001:db8::1',
    '2002:a00:1::1',
    '2001:0:1::1',
  ].map((one) => [one, undefined] as const),
] as const)('of the address %s the way to a public one is %s', ([address, host]) => {
  expect(publicAddressHere(machine(address))?.host).toBe(host)
})

test('a machine without IPv6 has no way by ::1', () => {
  const hosts = blockedAddressesHere({ development: false }, machine('127.0.0.1')).map(({ host }) => host)
  expect(hosts).not.toContain('[::1]')
  expect(hosts).toContain('127.0.0.1')
})

test('submitted hosts are blocked in every notation', () => {
  const parsed = foreign.map(({ host }) => URL.parse(`https://${host}/`)?.hostname)
  expect(
    parsed.every(
      (host) => host !== undefined && /^(?:10\.|172\.|192\.168|169\.254|\[f|\[::ffff:)/.test(host),
    ),
  ).toBe(true)
})
