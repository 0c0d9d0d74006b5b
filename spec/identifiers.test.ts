import { describe, expect, test } from 'vitest'
import { contractIdentifiers, identifiersOf, type Identifiers } from './identifiers.ts'

/** Written down by hand, not made by the table. */
const acme: Identifiers = {
  replayHeader: 'X-Acme-Idempotent-Replay',
  signatureHeader: 'x-acme-signature',
  deliveryIdHeader: 'x-acme-delivery-id',
  eventHeader: 'x-acme-event',
  userAgent: 'Acme-Webhooks/1.0',
  baseUrlVariable: 'ACME_BASE_URL',
  apiKeyVariable: 'ACME_API_KEY',
  profileFolder: 'acme-client',
}

describe('the identifiers of a vendor', () => {
  test('are those of the contract without a word', () => {
    expect(contractIdentifiers).toMatchObject({
      replayHeader: 'X-Service-Idempotent-Replay',
      signatureHeader: 'x-service-signature',
      userAgent: 'Service-Webhooks/1.0',
      baseUrlVariable: 'SERVICE_BASE_URL',
      apiKeyVariable: 'SERVICE_API_KEY',
    })
  })

  test('have the word in each of them', () => {
    expect(identifiersOf('acme')).toEqual(acme)
  })

  test.for([
    ['ACME', acme],
    [
      'acme-corp',
      {
        replayHeader: 'X-Acme-Corp-Idempotent-Replay',
        eventHeader: 'x-acme-corp-event',
        userAgent: 'Acme-Corp-Webhooks/1.0',
        apiKeyVariable: 'ACME_CORP_API_KEY',
        profileFolder: 'acme-corp-client',
      },
    ],
    ['a2z', { replayHeader: 'X-A2z-Idempotent-Replay', baseUrlVariable: 'A2Z_BASE_URL' }],
  ] as const)('are made of the word %s', ([vendor, expected]) => {
    expect(identifiersOf(vendor)).toMatchObject(expected)
  })

  test.for<[string, Partial<Identifiers>, RegExp]>([
    ['3scale', {}, /^vendor 3scale gives the variable 3SCALE_BASE_URL.*override `baseUrlVariable`/],
    ['acme_corp', {}, /^vendor is "acme_corp": write one word/],
    ['', {}, /^vendor is "": write one word/],
    ['acme', { eventHeader: 'a b' }, /^eventHeader is "a b", which is not valid/],
    ['acme', { eventHeader: 'X-ACME-Signature' }, /^eventHeader and signatureHeader are both X-ACME-Sig/],
    ['acme', { replayHeader: 'Content-Length' }, /^replayHeader is Content-Length, a header of HTTP itself/],
    ['acme', { profileFolder: '..' }, /^profileFolder is "\.\."/],
    ['acme', { nothing: 'x' } as Partial<Identifiers>, /^identifier "nothing" is unknown: use replayHeader/],
  ])('refuse %j with %j', ([vendor, overrides, message]) => {
    expect(() => identifiersOf(vendor, overrides)).toThrow(message)
  })
})
