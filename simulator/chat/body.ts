import type { Rules } from '../rules.ts'
import type { JsonObject } from '../json.ts'

/** One rule of the chat body; returns words when the body breaks it. */
export interface BodyRule {
  readonly name: string
  objects(body: JsonObject, rules: Rules): string | null
}
