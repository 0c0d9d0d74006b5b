import type { Gap } from './gap.ts'
import { chatGaps } from './gaps/chat.ts'
import { clientsGaps } from './gaps/clients.ts'
import { operationsGaps } from './gaps/operations.ts'
import { serviceGaps } from './gaps/service.ts'
import { webhooksGaps } from './gaps/webhooks.ts'

/** Gaps by the part of the contract they belong to; the name of a part is the name of its file. */
export const gapAreas = {
  chat: chatGaps,
  operations: operationsGaps,
  webhooks: webhooksGaps,
  clients: clientsGaps,
  service: serviceGaps,
} as const satisfies Record<string, Record<string, Gap>>
export type GapArea = keyof typeof gapAreas

export const gaps = {
  ...chatGaps,
  ...operationsGaps,
  ...webhooksGaps,
  ...clientsGaps,
  ...serviceGaps,
} as const satisfies Record<string, Gap>

export type GapId = keyof typeof gaps
export const gapIds = Object.keys(gaps) as GapId[]

/** The interpretation chosen for each gap; `Interpretations['GAP-IDENTICAL']` is `'replay' | 'conflict'`. */
export type Interpretations = { -readonly [G in GapId]: keyof (typeof gaps)[G]['interpretations'] & string }

/** The default interpretations: the first of each unspecified point. */
export const defaultInterpretations = Object.fromEntries(
  gapIds.map((id) => [id, Object.keys(gaps[id].interpretations)[0]]),
) as Interpretations
