/** Every operation of a project, as one table. Uploads bring their own rows. */
import { agentOperations } from './agents.ts'
import { billingOperations } from './billing.ts'
import { customerOperations } from './customers.ts'
import { noteOperations } from './notes.ts'
import { orderOperations } from './orders.ts'
import type { Operation } from '../operation.ts'
import { uploadOperations } from '../uploads/uploads.ts'

export const catalogue: readonly Operation[] = [
  ...billingOperations,
  ...agentOperations,
  ...noteOperations,
  ...customerOperations,
  ...orderOperations,
  ...uploadOperations,
]
