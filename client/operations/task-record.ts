/** One read of a task. */
import type { TaskState } from '../../spec/types/openapi.ts'
import type { JsonObject } from '../json.ts'

export interface TaskRecord {
  readonly id: string
  /** One of the contract's; a service may have others, which are not final. */
  readonly state: TaskState | (string & {})
  /** Completed, failed or cancelled: nothing comes any more. */
  readonly isFinal: boolean
  /** The record as it came. */
  readonly body: JsonObject
}
