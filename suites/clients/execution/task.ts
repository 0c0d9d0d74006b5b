/** The task of a step, as plain data. */
import type { Json } from '../../wire/json.ts'

export { actions, type Action } from '../../../reports/bundle/client-report.ts'

export interface ChatTask {
  do: 'chat' | 'stream'
  message: string
  /** Absent: the client is asked for a turn without one. */
  idempotencyKey?: string
  conversationId?: string
  /** The selection of a button, as it was copied from a presentation. */
  interaction?: Json
}

export interface BillingTask {
  do: 'billing'
  read: 'subscription' | 'usage' | 'plans' | 'invoices'
  /** Of invoices. */
  limit?: number
}

export interface DiscoverTask {
  do: 'discover'
}

/** Run it, and see it through: a task until its final state, an approval until it was read. */
export interface ExecuteTask {
  do: 'execute'
  operation: string
  input: Json
  /** Absent for a read. */
  idempotencyKey?: string
}

export interface UploadTask {
  do: 'upload'
  kind: 'document' | 'spreadsheet'
  fileName: string
  contentType: string
  /** The file, in base64. */
  content: string
  prepareKey: string
  finalizeKey: string
}

export interface CommandTask {
  do: 'command'
  /** `{base_url}`, `{api_key}`, `{agent}` and `{home}` stand for what the step is given. */
  words: readonly string[]
  /** Beside what is inherited, the same stand-ins in it; null takes one away. Default: the base address and the key. */
  env?: Readonly<Record<string, string | null>>
  /** Commands before it in the same home folder, whose end does not matter. */
  beforehand?: readonly Pick<CommandTask, 'words' | 'env' | 'stdin'>[]
  stdin?: string
}

export type ClientTask = ChatTask | BillingTask | DiscoverTask | ExecuteTask | UploadTask | CommandTask
