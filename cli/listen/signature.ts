/** Whether a delivery is signed with the secret of its webhook, over the bytes as they came. */
import { deliveredHeaderValues } from '../../suites/webhooks/assertions/deliveries.ts'
import { signedWith } from '../../suites/webhooks/assertions/signature.ts'
import { identifiersIn, type Exchange } from '../../suites/wire/exchange.ts'
import { complaint } from './problems.ts'

export interface SignatureReading {
  signature: 'ok' | 'wrong' | 'missing' | 'not checked'
  /** Of a wrong one: which mistake explains it, where one is known. */
  signatureProblem: string | null
}

export function readSignature(exchange: Exchange, secret: string | null): SignatureReading {
  if (deliveredHeaderValues(exchange, identifiersIn(exchange).signatureHeader).length === 0)
    return { signature: 'missing', signatureProblem: null }
  const judgement = secret === null ? null : signedWith(exchange, secret)
  if (judgement?.is === 'pass') return { signature: 'ok', signatureProblem: null }
  const problem = judgement && complaint(judgement)
  return { signature: problem === null ? 'not checked' : 'wrong', signatureProblem: problem }
}
