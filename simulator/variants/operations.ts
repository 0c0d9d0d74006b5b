/** Catalogues, receipts and billing reads of a form that few expect, and that the contract leaves open. */
import { isObject } from '../json.ts'
import { failedOutcome } from '../tenant/operations/operation.ts'
import { memberText } from '../modification/changes.ts'
import { variant, type Variant } from '../modification/modification.ts'
import { fussy, onAnswer, onOperationBody, onRows, readOf } from '../modification/operation-changes.ts'

const isReceipt = ({ operation, receipt }: { operation: string; receipt?: string }): boolean =>
  operation === 'execute' && receipt !== undefined

const unusual = { completed: 201, accepted: 200, pending_approval: 409, failed: 404 } as const

export const operationVariants = {
  'receipts-with-more': variant({
    title: 'Receipts carry an id, a time and what the operation is called, and failed ones a message.',
    allowed: 'Of a receipt only `status`, `data`, `error.code` and `error.resolution` are shown.',
    ...onOperationBody(isReceipt, (body) => ({
      receipt: { id: 'rcp_4242424242424242', at: '2029-12-01T00:00:00Z' },
      operation: 'An operation',
      error: null,
      ...body,
    })),
  }),
  'receipts-of-any-status': variant({
    title:
      'A completed receipt comes with 201, an accepted one with 200, one that waits with 409, a failed one with 404.',
    allowed: 'The status that a receipt comes with is not shown.',
    ...onAnswer(isReceipt, (reply) => {
      const status = Object.entries(unusual).find(([name]) => name === reply.about.receipt)?.[1]
      return { ...reply, status: status ?? reply.status }
    }),
  }),
  'operations-refused-as-not-found': variant({
    title: 'What a key may not use is not found for it.',
    allowed: 'How an operation is refused to a key that is not shown it is not shown.',
    ...onAnswer(
      ({ operation }, { status }) => ['execute', 'own-route'].includes(operation) && status === 403,
      (reply) => ({ ...reply, status: 404 }),
    ),
  }),
  'invalid-input-unprocessable': variant({
    title: 'Input that does not fit is answered 422.',
    allowed: 'How invalid input is refused is not shown.',
    ...onAnswer(
      ({ operation, code }) => operation === 'execute' && code === 'operations/INVALID_INPUT',
      (reply) => ({ ...reply, status: 422 }),
    ),
  }),
  'schemas-by-reference': variant({
    title: 'Input schemas are references into definitions of their own, with titles and remarks.',
    allowed: 'JSON Schema allows references; which dialect of it is used is not shown.',
    ...onRows((row) => ({
      ...row,
      inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        title: 'Input',
        'x-order': 7,
        $defs: { input: row['inputSchema'] ?? true },
        $ref: '#/$defs/input',
      },
    })),
  }),
  'schemas-nearly-empty': variant({
    title: 'Input schemas say that an object is taken, and nothing else.',
    allowed: 'How much a schema has to say is not shown.',
    ...onRows((row) => ({ ...row, inputSchema: { type: 'object' } })),
  }),
  'schemas-with-conditions': variant({
    title: 'Input schemas have conditions between their members.',
    allowed: 'JSON Schema has keywords for conditions.',
    ...onRows((row) => ({
      ...row,
      inputSchema: {
        ...(isObject(row['inputSchema']) ? row['inputSchema'] : {}),
        dependentRequired: {},
        unevaluatedProperties: false,
      },
    })),
  }),
  'hours-have-to-end-later': variant({
    title: 'Hours that end before they begin fail for a reason of their own.',
    allowed: 'An input may fit its schema and still ask for what cannot be.',
    rules: (was) => ({
      performs(operation, job, state) {
        const { hours } = job.input
        const isOdd = isObject(hours) && memberText(hours['to']) < memberText(hours['from'])
        return isOdd
          ? failedOutcome('HOURS_REVERSED', 'Let the hours end after they begin.')
          : was.performs(operation, job, state)
      },
    }),
  }),
  'hours-invalid-together': variant({
    title: 'Hours that end before they begin are refused as invalid, which no schema can say.',
    allowed: 'What two values have to be together is not said by a schema of either.',
    rules: fussy(
      'agent_design.draft',
      ({ hours }) => isObject(hours) && memberText(hours['to']) < memberText(hours['from']),
    ),
  }),
  'writes-take-a-while': variant({
    title: 'A write takes 20 milliseconds, and is in progress until then.',
    allowed: 'How long a write takes is not shown.',
    rules: () => ({ runMs: 20 }),
  }),
  'billing-with-long-numbers': variant({
    title: 'Billing reads have ids and times that are numbers of as many digits as a card has.',
    allowed: 'What else a billing read shows is not shown.',
    ...onOperationBody(readOf('billing.subscription'), (body) => ({
      ...body,
      id: '4242424242424242',
      renewedAt: 4_111_111_111_111,
      paymentMethod: 'card',
      card: null,
    })),
  }),
} as const satisfies Record<string, Variant>
