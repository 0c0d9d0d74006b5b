/** How a request shows that it is a delivery. */
import { identifierForms, type Identifiers } from '../../spec/identifiers.ts'
import type { Call } from '../server/call.ts'

export const headerOfAnyVendor = (name: 'deliveryIdHeader' | 'signatureHeader'): RegExp =>
  new RegExp(`^${identifierForms[name].from('VENDOR').replace('VENDOR', '[a-z0-9-]+')}$`, 'i')

const deliveryIdOfAnyVendor = headerOfAnyVendor('deliveryIdHeader')

/**
 * Whether a request to the service is a delivery of any tenant. By this name alone: clients may send a value that looks
 * like the id of a delivery, such as an idempotency key that begins with `test_`.
 */
export const isDelivery = (
  { headers }: Pick<Call, 'headers'>,
  { deliveryIdHeader }: Pick<Identifiers, 'deliveryIdHeader'>,
): boolean =>
  headers.some(
    ([name]) => deliveryIdOfAnyVendor.test(name) || name.toLowerCase() === deliveryIdHeader.toLowerCase(),
  )
