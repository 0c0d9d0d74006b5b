/** Every operation of a project, as one table. Uploads bring their own rows. */
import { agentOperations } from './catalogue/agents.ts'
import { billingOperations } from './catalogue/billing.ts'
import { customerOperations } from './catalogue/customers.ts'
import { noteOperations } from './catalogue/notes.ts'
import { orderOperations } from './catalogue/orders.ts'
import type { Operation } from './operation.ts'
import { uploadOperations } from './uploads.ts'

export const catalogue: readonly Operation[] = [
  ...billingOperations,
  ...agentOperations,
  ...noteOperations,
  ...customerOperations,
  ...orderOperations,
  ...uploadOperations,
]
