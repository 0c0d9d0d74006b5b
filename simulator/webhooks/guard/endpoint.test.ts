import { guardBase, guardInterpretations, withTargets, endpointProblem } from './addresses.ts'
import { describe, expect, test } from 'vitest'

const policy = guardBase.guard
const { guard: inProduction } = guardInterpretations['GAP-DEVELOPMENT'].never
const withoutLiteral = { ...policy, checks: { ...policy.checks, literal: false } }

/** Every one of these is the address 127.0.0.1 to a URL parser. */
const addressForms = [
  ...(`
https://127.0.0.1 https://127.1 https://127.0.1 https://2130706433 https://0x7f000001 https://0x7f.0.0.1
https://0177.0.0.1 https://017700000001 https://127.0.0.1. https://１２７.０.０.１ https://①②⑦.⓪.⓪.①
https://127。0。0。1 https://%31%32%37.0.0.1 https:127.0.0.1 https:///127.0.0.1 https://127.0.0.1#@example.com
HTTPS://127.1:443/a
`.match(/\S+/g) ?? []),
  'ht\ntps://127.0.0.1',
  'https://127.0.\t0.1',
  ' https://127.0.0.1',
  'https:\\\\127.0.0.1',
  'https://127.0.0.1\\@example.com',
]
const otherLiterals =
  `
https://0 https://0x0 https://10.0.0.1:8443 https://192.168.1.1/hooks https://169.254.169.254 https://[::1]
https://[::] https://[0:0:0:0:0:0:0:1]:9000 https://[::ffff:127.0.0.1] https://[::127.0.0.1]
https://[fd00:ec2::254] https://[64:ff9b::7f00:1] https://[2002:7f00:1::1]
`.match(/\S+/g) ?? []
const names = ['https://localhost.', 'https://app.localhost', 'https://app.localhost.', 'https://ⓛocalhost.']
const accepted =
  `
https://example.com https://example.com:8443/hooks?a=1 https://8.8.8.8 https://exa%6dple.com
https://[2606:4700:4700::1111]/ https://private.example https://notlocalhost https://localhost.example
`.match(/\S+/g) ?? []
const refused = {
  'not an absolute URL': [
    '',
    'example.com',
    '/hooks',
    'https://',
    'https://256.256.256.256',
    'https://1.2.3.4.5',
    'https://08.0.0.1',
    'https://4294967296',
    'https://example.com:65536',
    'https://exa mple.com',
    'https://a%00b',
    'https://[fe80::1%25lo]',
  ],
  'The scheme': ['ftp://example.com', 'file:///etc/passwd', 'javascript:alert(1)'],
  'localhost only: give an https URL': ['http://example.com', 'http://8.8.8.8'],
  'write http://localhost:4020/, or': ['http://127.0.0.1:4020'],
  'leave user and password out': [
    'https://user:word@example.com',
    'https://user@example.com',
    'https://:word@localhost',
  ],
  'Port 0': ['https://example.com:0/hooks'],
}

describe('an endpoint', () => {
  test.for([...addressForms, ...otherLiterals])('at %j is blocked', (url) => {
    expect(endpointProblem(url, policy)).toContain('give a target on the public internet')
    expect(endpointProblem(url, policy, 'delivery')).toBeNull()
    expect(endpointProblem(url, withoutLiteral)).toBeNull()
  })

  test.for(names)('at %j, another name of this machine, is blocked', (url) => {
    expect(endpointProblem(url, policy)).toContain('another name of this machine')
  })

  test.for(accepted)('at %j is accepted', (url) => {
    expect(endpointProblem(url, policy)).toBeNull()
  })

  test.for(Object.entries(refused))('is refused with words such as: %s', ([words, urls]) => {
    for (const url of urls) expect(endpointProblem(url, policy, 'delivery'), url).toContain(words)
  })

  test('does not show its password in words', () => {
    expect(endpointProblem('https://user:hunter2@example.com', policy)).not.toContain('hunter2')
  })
})

describe('localhost', () => {
  test.for(['http://localhost:3000/hooks', 'https://localhost', 'http://LOCALHOST', 'http://ⓛocalhost:1'])(
    'in development takes %s, in production it is blocked',
    (url) => {
      expect(endpointProblem(url, policy)).toBeNull()
      expect(endpointProblem(url, inProduction)).not.toBeNull()
    },
  )

  test('is no reason for another loopback host to do without HTTPS', () => {
    for (const url of [
      'http://127.0.0.1:3000',
      'http://[::1]:3000',
      'http://app.localhost',
      'http://localhost.',
    ])
      expect(endpointProblem(url, policy, 'delivery'), url).toContain('http is allowed for localhost only')
  })
})

test('what a laboratory lets through needs no HTTPS and may be private', () => {
  const laboratory = withTargets(policy, { allow: ['10.1.0.0/16', 'hooks.test', '::1'] })
  for (const url of ['http://10.1.2.3:80', 'http://hooks.test:8080', 'https://HOOKS.test.', 'http://[::1]:9'])
    expect(endpointProblem(url, laboratory), url).toBeNull()
  for (const url of ['http://10.2.0.0', 'http://a.hooks.test', 'https://127.0.0.1'])
    expect(endpointProblem(url, laboratory), url).not.toBeNull()
})
