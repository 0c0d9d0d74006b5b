/** The catalogue: every statement of the contract that somebody can keep or break, by area. */
import type { Clause } from '../clause.ts'
import { auth } from './auth.ts'
import { chatErrors } from './chat-errors.ts'
import { chatRequest } from './chat-request.ts'
import { chatResponse } from './chat-response.ts'
import { conversation } from './conversation.ts'
import { credits } from './credits.ts'
import { idempotency } from './idempotency.ts'
import { pause } from './pause.ts'
import { rateLimit } from './rate-limit.ts'
import { streaming } from './streaming.ts'
import { workflow } from './workflow.ts'

/** Areas in the order of the contract; the name of an area is the name of its file. */
export const areas = {
  'chat-request': chatRequest,
  'chat-response': chatResponse,
  conversation,
  streaming,
  idempotency,
  pause,
  workflow,
  credits,
  'rate-limit': rateLimit,
  auth,
  'chat-errors': chatErrors,
} as const satisfies Record<string, Record<string, Clause>>

export type Area = keyof typeof areas
type Union<T> = T extends unknown ? keyof T : never
/** Every clause id. A typo is a compile error. */
export type ClauseId = Union<(typeof areas)[Area]> & string

/** All clauses by id. */
export const clauses = Object.assign({}, ...Object.values(areas)) as Readonly<Record<ClauseId, Clause>>
export const clauseIds = Object.keys(clauses) as ClauseId[]

/** The area a clause stands in. */
export const areaOf = Object.fromEntries(
  Object.entries(areas).flatMap(([area, rows]) => Object.keys(rows).map((id) => [id, area])),
) as Readonly<Record<ClauseId, Area>>

/** Areas of which a suite exists. Later areas join here. */
export const chatAreas = [
  'chat-request',
  'chat-response',
  'conversation',
  'streaming',
  'idempotency',
  'pause',
  'workflow',
  'credits',
  'rate-limit',
  'auth',
  'chat-errors',
] as const satisfies readonly Area[]
