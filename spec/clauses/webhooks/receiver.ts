import { advised, implied, must, should, standard, stated } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const rules = 'Authentication, Webhook delivery signing, 3'
const twice = 'Events, Webhook deliveries, at least once'
const by = { actor: 'receiver' } as const
const quickly = 'Receivers should answer 2xx quickly'
const compared = 'against a signature computed from the raw body'
const rejected = 'A mismatch should be rejected with 401'
const raw = 'computed from the raw body (not a re-serialized one)'
const afterwards = 'Receivers should answer 2xx quickly and process afterwards'
const skipRepeats = 'receivers keep ids, for example for 24 hours, and skip repeats'

export const receiverClauses = {
  'RECV-GENUINE': must(
    'A delivery with a true signature is answered 2xx.',
    implied(twice, [quickly, quoted.failedDelivery], by),
  ),
  'RECV-CHANGED-BODY': must(
    'A delivery whose body was changed after signing is not accepted.',
    implied(rules, [compared, rejected], by),
  ),
  'RECV-WRONG-SECRET': must(
    'A delivery signed with another secret is not accepted.',
    implied(rules, [compared, rejected], by),
  ),
  'RECV-UNSIGNED': must(
    'A delivery without a signature is not accepted.',
    implied(rules, [compared, rejected], by),
  ),
  'RECV-MALFORMED': must(
    'A signature without its prefix or with too few digits is not accepted.',
    implied(rules, [quoted.signatureForm, rejected], by),
  ),
  'RECV-401': should(
    'A delivery that is not accepted for its signature is answered 401.',
    stated(rules, rejected, by),
  ),
  'RECV-RAW': must(
    'A true signature over unusually spaced or escaped JSON is accepted.',
    stated(rules, raw, by),
  ),
  'RECV-RESERIALIZED': must(
    'A signature that fits only the re-serialised body is not accepted.',
    stated(rules, raw, by),
  ),
  'RECV-CONSTANT-TIME': must(
    'Signatures are compared in constant time.',
    stated(rules, 'Receivers compare in constant time', { ...by, observe: 'inside' }),
  ),
  'RECV-DUPLICATE': must(
    'A delivery id that was seen before is not processed again.',
    stated(twice, skipRepeats, by),
  ),
  'RECV-DUPLICATE-2XX': should(
    'The repeat is still answered 2xx.',
    implied(twice, ['skip repeats', quickly], by),
  ),
  'RECV-DUPLICATE-RACE': must(
    'Of two copies that come at once only one is processed.',
    implied(twice, skipRepeats, by),
  ),
  'RECV-QUICK': should('A delivery is answered well within ten seconds.', stated(twice, afterwards, by)),
  'RECV-PROCESS-LATER': should(
    'The work a delivery causes is done after the answer.',
    stated(twice, afterwards, { ...by, observe: 'inside' }),
  ),
  'RECV-HEADER-CASE': must(
    'Header names count in any casing.',
    standard('Events, Webhook deliveries, headers', 'HTTP POST with these headers', by),
  ),
  'RECV-OPEN': should(
    'An unknown event or an unknown member of a payload is answered 2xx.',
    advised('Events, Webhook deliveries', [], by),
  ),
} as const
