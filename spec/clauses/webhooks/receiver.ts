import { must, should } from '../../clause.ts'
import { quoted } from '../../quoted.ts'

const rules = 'Authentication, Webhook delivery signing, 3'
const twice = 'Events, Webhook deliveries, at least once'
const by = { actor: 'receiver' } as const
const implied = { actor: 'receiver', basis: 'implied' } as const
const advised = { actor: 'receiver', basis: 'advised' } as const
const quickly = 'Receivers should answer 2xx quickly'
const compared = 'against a signature computed from the raw body'
const rejected = 'A mismatch should be rejected with 401'
const raw = 'computed from the raw body (not a re-serialized one)'
const afterwards = 'Receivers should answer 2xx quickly and process afterwards'
const skipRepeats = 'receivers keep ids, for example for 24 hours, and skip repeats'

export const receiverClauses = {
  'RECV-GENUINE': must(
    'A delivery with a true signature is answered 2xx.',
    twice,
    [quickly, quoted.failedDelivery],
    implied,
  ),
  'RECV-CHANGED-BODY': must(
    'A delivery whose body was changed after signing is not accepted.',
    rules,
    [compared, rejected],
    implied,
  ),
  'RECV-WRONG-SECRET': must(
    'A delivery signed with another secret is not accepted.',
    rules,
    [compared, rejected],
    implied,
  ),
  'RECV-UNSIGNED': must(
    'A delivery without a signature is not accepted.',
    rules,
    [compared, rejected],
    implied,
  ),
  'RECV-MALFORMED': must(
    'A signature without its prefix or with too few digits is not accepted.',
    rules,
    [quoted.signatureForm, rejected],
    implied,
  ),
  'RECV-401': should('A delivery that is not accepted for its signature is answered 401.', rules, {
    ...by,
    phrases: rejected,
  }),
  'RECV-RAW': must('A true signature over unusually spaced or escaped JSON is accepted.', rules, raw, by),
  'RECV-RESERIALIZED': must(
    'A signature that fits only the re-serialised body is not accepted.',
    rules,
    raw,
    by,
  ),
  'RECV-CONSTANT-TIME': must(
    'Signatures are compared in constant time.',
    rules,
    'Receivers compare in constant time',
    {
      ...by,
      observe: 'inside',
    },
  ),
  'RECV-DUPLICATE': must(
    'A delivery id that was seen before is not processed again.',
    twice,
    skipRepeats,
    by,
  ),
  'RECV-DUPLICATE-2XX': should('The repeat is still answered 2xx.', twice, {
    ...implied,
    phrases: ['skip repeats', quickly],
  }),
  'RECV-DUPLICATE-RACE': must(
    'Of two copies that come at once only one is processed.',
    twice,
    skipRepeats,
    implied,
  ),
  'RECV-QUICK': should('A delivery is answered well within ten seconds.', twice, {
    ...by,
    phrases: afterwards,
  }),
  'RECV-PROCESS-LATER': should('The work a delivery causes is done after the answer.', twice, {
    ...by,
    observe: 'inside',
    phrases: afterwards,
  }),
  'RECV-HEADER-CASE': must(
    'Header names count in any casing.',
    'Events, Webhook deliveries, headers',
    'HTTP POST with these headers',
    {
      actor: 'receiver',
      basis: 'standard',
    },
  ),
  'RECV-OPEN': should(
    'An unknown event or an unknown member of a payload is answered 2xx.',
    'Events, Webhook deliveries',
    advised,
  ),
} as const
