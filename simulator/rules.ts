/** Every decision that the contract leaves open or that a fault may get wrong, as one record of values and functions. */
import type { ChatRules } from './chat/rules.ts'
import type { OlderRules } from './older/rules.ts'
import type { OperationRules } from './operations/rules/rules.ts'
import type { WebhookRules } from './webhooks/rules.ts'

export interface Rules extends ChatRules, OperationRules, OlderRules, WebhookRules {}
