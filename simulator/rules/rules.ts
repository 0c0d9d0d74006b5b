/** Every decision that the contract leaves open or that a fault may get wrong, as one record of values and functions. */
import type { ChatRules } from './chat.ts'
import type { OlderRules } from './older.ts'
import type { OperationRules } from './operations.ts'
import type { WebhookRules } from './webhooks.ts'

export interface Rules extends ChatRules, OperationRules, OlderRules, WebhookRules {}
