/**
 * The scenarios of the older chat variant, by id. They run only if a target declares the variant, and do not affect
 * conformance: its clauses are in no published set. A test checks that every file is listed here.
 */
import type { AnyScenario } from '../scenario/scenario.ts'
import { byId } from '../scenario/scenario.ts'
import * as access from './older-access.ts'
import * as conversation from './older-conversation.ts'
import * as message from './older-message.ts'
import * as rate from './older-rate.ts'
import * as stream from './older-stream.ts'

export const olderScenarios: Readonly<Record<string, AnyScenario>> = byId({
  'older-access': access,
  'older-conversation': conversation,
  'older-message': message,
  'older-rate': rate,
  'older-stream': stream,
})
