/** Rules over all requests that came to a receiver of the run. */
import type { Judgement } from '../scenario/scenario.ts'
import { isObject } from '../../spec/json.ts'
import { asked } from '../assertions/turn.ts'
import { identifiersIn, type Exchange } from '../wire/exchange.ts'
import { memo } from '../wire/memo/memo.ts'
import { attemptsIn, isTestDelivery } from '../webhooks/assertions/deliveries.ts'
import {
  hasKnownEvent,
  hasNoFlagBeside,
  hasPayload,
  hasTimestamp,
  hasUserAgent,
  idBegins,
  isJsonTyped,
  isObjectBody,
  isPost,
  namesItsEvent,
} from '../webhooks/assertions/delivery.ts'
import { has64Characters, hasPrefix, hasSignature, isHexadecimal } from '../webhooks/assertions/signature.ts'
import { eachOf, ruleOver } from './rule.ts'

const ofDeliveries =
  (judge: (attempt: Exchange) => Judgement, holds: (attempt: Exchange) => boolean = () => true) =>
  (all: readonly Exchange[]) =>
    eachOf(
      plainAttempts(all)
        .filter(holds)
        .map((one): [Exchange] => [one]),
      'deliveries',
      judge,
    )

/**
 * A custom header may have the name of one of the service: which of them then counts is another clause. Whoever follows
 * a redirect may do so without the body.
 */
const plainAttempts = memo((all: readonly Exchange[]): readonly Exchange[] => {
  const crossed = new Set(
    all.filter((one) => namesReserved(one) || isRedirected(one)).map(({ scenario }) => scenario),
  )
  return attemptsIn(all.filter(({ inbound, scenario }) => inbound && !crossed.has(scenario)))
})

const isRedirected = ({ inbound, response }: Exchange): boolean =>
  inbound !== null && response !== null && response.status >= 300 && response.status < 400

function namesReserved(exchange: Exchange): boolean {
  const { deliveryIdHeader, eventHeader, signatureHeader } = identifiersIn(exchange)
  const reserved = [deliveryIdHeader, eventHeader, signatureHeader, 'user-agent', 'content-type']
  const custom = exchange.inbound ? null : asked(exchange)?.['custom_headers']
  return isObject(custom) && Object.keys(custom).some((name) => reserved.includes(name.toLowerCase().trim()))
}

export const deliveries = ruleOver('every delivery has the headers, the envelope and a signature', {
  'DLV-POST': ofDeliveries(isPost),
  'DLV-CONTENT-TYPE': ofDeliveries(isJsonTyped),
  'DLV-USER-AGENT': ofDeliveries(hasUserAgent),
  'DLV-EVENT-HEADER': ofDeliveries(namesItsEvent),
  'DLV-BODY': ofDeliveries(isObjectBody),
  'DLV-EVENT-TYPE': ofDeliveries(hasKnownEvent),
  'DLV-TIMESTAMP': ofDeliveries(hasTimestamp),
  'DLV-PAYLOAD': ofDeliveries(hasPayload),
  'DLV-TEST-FLAG': ofDeliveries(hasNoFlagBeside),
  'DLV-ID-LIVE': ofDeliveries(
    (one) => idBegins(one, 'whd_'),
    (one) => !isTestDelivery(one),
  ),
  'SIGN-HEADER': ofDeliveries(hasSignature),
  'SIGN-PREFIX': ofDeliveries(hasPrefix),
  'SIGN-LENGTH': ofDeliveries(has64Characters),
  'SIGN-HEX': ofDeliveries(isHexadecimal),
})
