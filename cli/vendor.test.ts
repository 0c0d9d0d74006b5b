/** The options for the vendor's word give identifiers, or an error that says what to write. */
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { contractIdentifiers, identifiersOf } from '../spec/identifiers.ts'
import { UsageError } from './usage-error.ts'
import {
  identifiersFrom,
  vendorFrom,
  withVendor,
  type VendorCommandOptions,
  vendorVariables,
} from './vendor.ts'

const parsed = (...argv: readonly string[]): VendorCommandOptions =>
  withVendor(new Command('try').exitOverride())
    .parse([...argv], { from: 'user' })
    .opts()

test('without the options, the identifiers are those of the contract and nothing is chosen', () => {
  expect(identifiersFrom(parsed())).toEqual(contractIdentifiers)
  expect(vendorFrom(parsed())).toEqual({})
})

test('the word gives every identifier, and a single one replaces what follows from it', () => {
  const options = parsed(
    '--vendor',
    'acme-corp',
    '--identifier',
    'replayHeader=X-Replayed',
    '--identifier',
    'userAgent=Acme/1.0 (a=b, c)',
  )
  const overrides = { replayHeader: 'X-Replayed', userAgent: 'Acme/1.0 (a=b, c)' }
  expect(vendorFrom(options)).toEqual({ vendor: 'acme-corp', identifiers: overrides })
  expect(identifiersFrom(options)).toEqual(identifiersOf('acme-corp', overrides))
})

test('a program that is started gets the word, and nothing of the outer environment for that of the contract', () => {
  const identifiers = identifiersOf('acme')
  expect(vendorVariables({ vendor: 'acme', identifiers })).toEqual({
    TOUCHSTONE_VENDOR: 'acme',
    TOUCHSTONE_IDENTIFIERS: JSON.stringify(identifiers),
  })
  const none = { TOUCHSTONE_VENDOR: undefined, TOUCHSTONE_IDENTIFIERS: undefined }
  expect(vendorVariables({})).toEqual(none)
  expect(vendorVariables({ vendor: 'service', identifiers: identifiersOf() })).toEqual(none)
})

test.for([
  [['--vendor', 'acme corp'], /vendor is "acme corp": write one word/],
  [['--vendor', '7even'], /override `baseUrlVariable`/],
  [['--identifier', 'replayHeader'], /"replayHeader" is not NAME=VALUE/],
  [
    ['--identifier', 'replay=X-Replayed'],
    /--identifier replay: unknown name; did you mean|choose from replayHeader/,
  ],
  [['--identifier', 'replayHeader=X Replayed'], /replayHeader is "X Replayed", which is not valid/],
] as const)('%j is refused with what to write', ([argv, message]) => {
  expect(() => identifiersFrom(parsed(...argv))).toThrow(UsageError)
  expect(() => vendorFrom(parsed(...argv))).toThrow(message)
})
