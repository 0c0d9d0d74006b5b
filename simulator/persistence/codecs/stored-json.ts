/** Values of ours as they stand in a document: written as JSON, and read back as what was written. */
import type { JsonObject } from '../../json.ts'

/** What is written must be plain data, without `undefined`, functions or numbers that JSON has not. */
export const asBody = (value: object): JsonObject => value as JsonObject

/** Documents are written by this simulator alone; the version of the store says which ones it understands. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- bytes become types here, and nowhere else
export const asWritten = <T>(body: JsonObject): T => body as unknown as T
