import { guardBase, addressProblem, isLoopback, readAllowed } from './addresses.ts'
import { describe, expect, test } from 'vitest'

const policy = guardBase.guard
const withoutEmbedded = { ...policy, checks: { ...policy.checks, embedded: false } }
const allowing = (...allow: string[]) => ({ ...policy, allow })

const blocked = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  'this network': ['0.0.0.0', '0.1.2.3', '::'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'unique local and link-local': ['fc00::1', 'fdff::1', 'fe80::1', 'febf::1', 'fec0::1'],
  metadata: ['169.254.169.254', '100.100.100.200', '192.0.0.192', '168.63.129.16', 'fd00:ec2::254'],
  'shared behind a carrier': ['100.64.0.1', '100.127.255.255'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarks: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  'multicast and reserved': ['224.0.0.1', '240.0.0.1', '255.255.255.255', 'ff02::1', '192.88.99.1'],
  'nobody’s': ['100::1', '200::1', '5f00::1', '1fff::1', '4000::1', '7fff::1', '8000::1', 'fbff::1'],
}
const embedding =
  `
::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a9fe:a9fe ::ffff:8.8.8.8 0:0:0:0:0:FFFF:7F00:1 ::127.0.0.1 ::7f00:1
::ffff:0:127.0.0.1 ::5efe:7f00:1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b::808:808 64:ff9b:1::a9fe:a9fe
2002:7f00:1::1 2002:a9fe:a9fe::1 2001:0:4136:e378:8000:63bf:3fff:fdd2
`.match(/\S+/g) ?? []
const open =
  `
8.8.8.8 1.1.1.1 9.255.255.255 11.0.0.0 172.15.255.255 172.32.0.1 192.167.255.255 100.63.255.255 100.128.0.1
128.0.0.1 126.255.255.255 169.253.255.255 223.255.255.255 168.63.129.15 198.17.255.255 198.20.0.0
2606:4700:4700::1111 2001:4860:4860::8888
`.match(/\S+/g) ?? []
const noAddress = [
  '',
  'localhost',
  '[::1]',
  '127.1',
  '0x7f000001',
  '2130706433',
  'fe80::1%lo',
  '::1%1',
  '127.0.0.1 ',
]

describe('an address', () => {
  test.for(Object.entries(blocked))('of %s is blocked', ([, addresses]) => {
    expect(addresses.filter((address) => addressProblem(address, policy) === null)).toEqual([])
  })

  test('that carries another one is blocked, unless a fault forgets it', () => {
    expect(embedding.filter((address) => addressProblem(address, policy) === null)).toEqual([])
    expect(embedding.filter((address) => addressProblem(address, withoutEmbedded) !== null)).toEqual([])
  })

  test('that carries none is blocked all the same where a fault forgets those that do', () => {
    const passed = Object.values(blocked)
      .flat()
      .filter((address) => addressProblem(address, withoutEmbedded) === null)
    expect(passed).toEqual([])
  })

  test('of the public internet is let through, up to the edges of the ranges', () => {
    expect(open.filter((address) => addressProblem(address, policy) !== null)).toEqual([])
  })

  test.for(noAddress)('that is none, such as %j, is blocked', (text) => {
    expect(addressProblem(text, policy)).toContain('not an IP address')
  })

  test('is named with what is wrong about it', () => {
    expect(addressProblem('10.0.0.1', policy)).toBe(
      '10.0.0.1 is private; give a target on the public internet.',
    )
  })
})

describe('what is let through', () => {
  test('is an address or a network of its own family', () => {
    const both = allowing('10.1.0.0/16', '127.0.0.1', 'fd00::/8')
    for (const address of ['10.1.255.255', '127.0.0.1', 'fd12::1'])
      expect(addressProblem(address, both)).toBeNull()
    for (const address of ['10.2.0.0', '127.0.0.2', 'fc00::1', '::ffff:127.0.0.1', '::1'])
      expect(addressProblem(address, both), address).not.toBeNull()
  })

  test.for([
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    'a b',
    'example.com/8',
    '',
    '[::1]',
    '10.0.0.0/8/8',
    'fe80::1%lo',
    '2130706433',
    '0x7f.1',
    '*.example.com',
    'example.com?',
    '#',
  ])('cannot be %j', (entry) => {
    expect(() => readAllowed([entry])).toThrow(RangeError)
  })
})

test('loopback is what is in 127/8, and ::1', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1', '0:0:0:0:0:0:0:1'].every(isLoopback)).toBe(true)
  expect(['128.0.0.1', '::ffff:127.0.0.1', '::', '0.0.0.0', 'localhost', '::1%lo'].some(isLoopback)).toBe(
    false,
  )
})
