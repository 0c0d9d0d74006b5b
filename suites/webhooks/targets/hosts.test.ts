import { expect, test } from 'vitest'
import {
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
