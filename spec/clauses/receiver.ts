import { must, should } from '../clause.ts'

const rules = 'Authentication, Webhook delivery signing, 3'
const twice = 'Events, Webhook deliveries, at least once'
const by = { actor: 'receiver' } as const
const implied = { actor: 'receiver', basis: 'implied' } as const
const advised = { actor: 'receiver', basis: 'advised' } as const

export const receiver = {
  'RECV-GENUINE': must('A delivery with a true signature is answered 2xx.', rules, implied),
  'RECV-CHANGED-BODY': must(
    'A delivery whose body was changed after signing is not accepted.',
    rules,
    implied,
  ),
  'RECV-WRONG-SECRET': must('A delivery signed with another secret is not accepted.', rules, implied),
  'RECV-UNSIGNED': must('A delivery without a signature is not accepted.', rules, implied),
  'RECV-MALFORMED': must(
    'A signature without its prefix or with too few digits is not accepted.',
    rules,
    implied,
  ),
  'RECV-401': should('A delivery that is not accepted for its signature is answered 401.', rules, by),
  'RECV-RAW': must('A true signature over unusually spaced or escaped JSON is accepted.', rules, by),
  'RECV-RESERIALIZED': must('A signature that fits only the re-serialised body is not accepted.', rules, by),
  'RECV-CONSTANT-TIME': must('Signatures are compared in constant time.', rules, {
    ...by,
    observe: 'inside',
  }),
  'RECV-DUPLICATE': must('A delivery id that was seen before is not processed again.', twice, by),
  'RECV-DUPLICATE-2XX': must('The repeat is still answered 2xx.', twice, implied),
  'RECV-DUPLICATE-RACE': must('Of two copies that come at once only one is processed.', twice, implied),
  'RECV-QUICK': should('A delivery is answered well within ten seconds.', twice, by),
  'RECV-PROCESS-LATER': should('The work a delivery causes is done after the answer.', twice, {
    ...by,
    observe: 'inside',
  }),
  'RECV-HEADER-CASE': must('Header names count in any casing.', rules, {
    actor: 'receiver',
    basis: 'standard',
  }),
  'RECV-OPEN': should(
    'An unknown event or an unknown member of a payload is answered 2xx.',
    'Events, Webhook deliveries',
    advised,
  ),
} as const
