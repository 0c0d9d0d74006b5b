import { describe, expect, test } from 'vitest'
import { InvalidCall } from '../errors.ts'
import { type ServiceClientOptions, checkServerSide } from './options.ts'
import { ServiceClient } from '../service-client.ts'

const fine = { apiKey: 'sk-0123456789', baseUrl: 'https://api.example.com' }

const wrong: Readonly<Record<string, Partial<Record<keyof ServiceClientOptions, unknown>>>> = {
  'no key': { apiKey: undefined },
  'an empty key': { apiKey: '' },
  'a key with its line end': { apiKey: 'sk-0123456789\n' },
  'no address': { baseUrl: undefined },
  'an address without a scheme': { baseUrl: 'api.example.com' },
  'an address of another scheme': { baseUrl: 'file:///etc' },
  'an address with credentials': { baseUrl: 'https://me:secret@api.example.com' },
  'an address with a password alone': { baseUrl: 'https://:secret@api.example.com' },
  'a timeout of nothing': { timeoutMs: 0 },
}

test.for(Object.entries(wrong))('%s makes no client', ([, part]) => {
  const build = () => new ServiceClient({ ...fine, ...part } as ServiceClientOptions)
  expect(build).toThrow(InvalidCall)
  expect(build).not.toThrow(/sk-0123456789|secret/)
})

describe('surroundings', () => {
  const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
  const devices: Readonly<Record<string, object>> = {
    'a browser page': { window: {}, document: {}, navigator: { userAgent: browser } },
    'a page in a window of a desktop app': {
      window: {},
      document: {},
      process: { versions: { node: '24' } },
    },
    'a worker of a browser': { navigator: { userAgent: browser } },
    'a mobile app': { window: {}, navigator: { product: 'ReactNative' } },
  }

  test.for(Object.entries(devices))('LIB-KEY-SERVER-SIDE: %s gets no client', ([, here]) => {
    expect(() => checkServerSide(here)).toThrow(InvalidCall)
    expect(() => checkServerSide(here)).toThrow(/on a server/)
  })

  const servers: Readonly<Record<string, object>> = {
    'Node.js': { navigator: { userAgent: 'Node.js/24' } },
    'a Node.js without a navigator': {},
    Deno: { navigator: { userAgent: 'Deno/2.5.0' } },
    'an older Deno': { window: {}, navigator: { userAgent: 'Deno/1.46.0' } },
    Bun: { navigator: { userAgent: 'Bun/1.3.0' } },
    'a worker of a server platform': { navigator: { userAgent: 'Cloudflare-Workers' } },
  }

  test.for(Object.entries(servers))('%s gets one', ([, here]) => {
    expect(() => checkServerSide(here)).not.toThrow()
  })

  test('LIB-KEY-SERVER-SIDE: a page is noticed when the client is built', () => {
    const page = { window: {}, document: {} }
    Object.assign(globalThis, page)
    try {
      expect(() => new ServiceClient(fine)).toThrow(/a browser page/)
    } finally {
      for (const name of Object.keys(page)) Reflect.deleteProperty(globalThis, name)
    }
    expect(new ServiceClient(fine)).toBeInstanceOf(ServiceClient)
  })
})
