/** What a judge cannot compute from a redacted journal. */
import type { Exchange } from '../wire/exchange.ts'
import { token } from '../../reports/bundle/redaction/token.ts'

/** Thrown by a judge that has to compute with a secret. While a run is judged as it is run, it never is. */
export class SecretWithheld extends Error {}

export const withheld =
  'what they depend on was redacted; run with --disclose-webhook-secrets to let others check signatures'

/** Throws for a text with a token: encodings of a secret have the same as the secret itself. */
export function mustBeLiteral(text: string, { redacted }: Exchange): void {
  if (redacted && token.test(text)) throw new SecretWithheld(withheld)
}

/** Throws if the secret of a signature, or a part of the signed bytes, is redacted. */
export function mustBeShown(secret: string, { redacted, request }: Exchange): void {
  if (!redacted) return
  if (token.test(secret) || token.test(Buffer.from(request.body).toString('latin1')))
    throw new SecretWithheld(withheld)
}
