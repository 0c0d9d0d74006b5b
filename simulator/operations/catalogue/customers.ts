/** Customers of the project: a long import, and an erasure that the owner has to approve. */
import { isObject } from '../../json.ts'
import { addCustomer } from '../account-data.ts'
import {
  completedOutcome,
  continuesAsTask,
  emailSchema,
  members,
  newest,
  readOperation,
  writeOperation,
  type Operation,
} from '../operation.ts'

const importInput = members(
  {
    customers: {
      type: 'array',
      minItems: 1,
      maxItems: 50,
      items: members(
        {
          name: { type: 'string', minLength: 1, maxLength: 80 },
          email: emailSchema,
          country: { type: 'string', pattern: '^[A-Z]{2}$' },
          orders: { type: 'integer', minimum: 0, maximum: 10_000 },
        },
        ['name', 'email'],
      ),
    },
    source: { type: 'string', enum: ['shop', 'newsletter', 'event'] },
  },
  ['customers'],
)

const idSchema = { type: 'string', pattern: '^cus_[0-9]{4,7}$' }

export const customerOperations: readonly Operation[] = [
  readOperation({
    id: 'customers.list',
    title: 'List customers',
    description: 'Customers by id, and how many there are in all.',
    input: members({ limit: { type: 'integer', minimum: 1, maximum: 100 } }, []),
    perform: (_tenantState, { data, input }) => {
      const most = typeof input['limit'] === 'number' ? input['limit'] : 100
      return completedOutcome({
        customers: data.customers.values().slice(0, most),
        count: data.customers.count(),
      })
    },
  }),
  writeOperation({
    id: 'customers.import',
    title: 'Import customers',
    description: 'Adds customers. Takes a while: the receipt is accepted, and a task goes on.',
    input: importInput,
    perform: () => continuesAsTask(),
    finish: (_tenantState, { data, input }) => {
      const rows = Array.isArray(input['customers']) ? input['customers'].filter(isObject) : []
      for (const row of rows) addCustomer(data, row)
      return completedOutcome({ imported: rows.length, count: data.customers.count() })
    },
  }),
  writeOperation({
    id: 'customers.erase',
    title: 'Erase a customer',
    description: 'Removes a customer for good. The owner has to approve it first.',
    destructive: true,
    approval: true,
    input: members(
      {
        customerId: idSchema,
        reason: { type: 'string', enum: ['customer-asked', 'duplicate', 'law'] },
        note: { type: 'string', maxLength: 200 },
      },
      ['customerId', 'reason'],
    ),
    // What is not there is erased, too: whoever asks for an erasure wants nothing to be left.
    perform: (state, { data, input }) => {
      const { customerId } = input
      const found = typeof customerId === 'string' && data.customers.remove(customerId)
      data.erasures.add({ at: new Date(state.clock.date()).toISOString(), ...input })
      return completedOutcome({ ...input, found, count: data.customers.count() })
    },
  }),
  readOperation({
    id: 'customers.erasures',
    title: 'List erasures',
    description: 'Erasures that were carried out, the newest first, and how many there are in all.',
    input: members({ customerId: idSchema }, []),
    perform: (_tenantState, { data, input }) => {
      const { customerId } = input
      if (customerId === undefined)
        return completedOutcome({ erasures: newest(data.erasures.values()), count: data.erasures.count() })
      const found = data.erasures.values().filter((one) => one['customerId'] === customerId)
      return completedOutcome({ erasures: newest(found), count: found.length })
    },
  }),
]
