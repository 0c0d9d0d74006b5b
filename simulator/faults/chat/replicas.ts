/** What goes wrong where one service answers at several addresses. */
import { fault, type Fault } from '../../modification/modification.ts'
import { rememberedBy } from '../../modification/key-books.ts'

export const replicaFaults = {
  'replica-forgets': fault({
    title: 'Each replica remembers only the keys of the requests that came to it.',
    breaks: ['IDEM-REPLAY-HEADER', 'IDEM-CONFLICT-STATUS', 'IDEM-CONFLICT-CODE', 'IDEM-RACE-ONE-RUN'],
    replicas: 2,
    rules: rememberedBy(({ server }) => String(server)),
  }),
} as const satisfies Record<string, Fault>
