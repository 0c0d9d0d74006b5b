/**
 * What the contract does not show, and a client needs all the same. The defaults are what the simulator does; JSON
 * pointers (RFC 6901) are tried in their order. Give any member of it that your service has otherwise. Where the
 * dialect of a target file says the same thing, it has the same name.
 */
import type { JsonObject } from '../json.ts'

/** One request of an upload. A body with any member of its own is JSON; else it is the raw bytes, or nothing. */
export interface UploadStep {
  /** Below the base address; `{uploadId}` and `{fileName}` in it are filled in. */
  readonly path: string
  /** Default: `POST`. */
  readonly method?: 'POST' | 'PUT'
  /** Where the body carries the key of the step. Default: the header does. */
  readonly key?: string
  /** Which header carries it. Default: `Idempotency-Key`. */
  readonly keyHeader?: string
  /** Where one request carries both keys, the prepare key: in the body, or in a header. */
  readonly otherKey?: string
  readonly otherKeyHeader?: string
  readonly fileName?: string
  readonly contentType?: string
  readonly size?: string
  /** The bytes in base64; the empty pointer makes them the body, with the media type of the file. */
  readonly bytes?: string
  /** Where the body carries the id of the upload. */
  readonly uploadId?: string
  /** What the body always has besides; the query, where the body is the bytes. */
  readonly members?: JsonObject
  /** Where the response has the id of the upload. Default: `/data/uploadId`, `/data/upload_id`, `/data/id`. */
  readonly id?: string | readonly string[]
}

/** Two requests; without `prepare` one, which carries both keys. */
export interface UploadWay {
  readonly prepare?: UploadStep
  readonly finalize: UploadStep
}

export interface Dialect {
  /** A path below the base address, or the id of the operation that reads it. */
  readonly routes: {
    readonly subscription: string
    readonly plans: string
    readonly invoices: string
    readonly agents: string
  }
  /** Where the responses of those have their list. */
  readonly lists: {
    readonly plans: readonly string[]
    readonly invoices: readonly string[]
    readonly agents: readonly string[]
  }
  readonly subscription: { readonly status: readonly string[]; readonly planName: readonly string[] }
  /** The object with `credits` in the response of the usage read. */
  readonly usage: { readonly container: readonly string[] }
  readonly discovery: {
    /** A list, or an object with a member for each operation, by its id. */
    readonly list: readonly string[]
    /** What leads to the next page, where there are pages, and the parameter of the query that takes it. */
    readonly cursor: readonly string[]
    readonly cursorParameter: string
    /** In each operation. */
    readonly id: readonly string[]
    readonly schema: readonly string[]
  }
  readonly execution: {
    /** Where the body carries the input; the empty pointer makes it the body. */
    readonly input: string
    /** Where the body carries the key, too; null where the header is enough. */
    readonly key: string | null
    /** Which header carries the key; null for none. */
    readonly keyHeader: string | null
  }
  readonly receipt: { readonly taskId: readonly string[]; readonly approvalId: readonly string[] }
  readonly task: { readonly state: readonly string[] }
  /** Words are compared without case. */
  readonly approval: {
    readonly state: readonly string[]
    /** The receipt of the work that was held. */
    readonly receipt: readonly string[]
    readonly pending: readonly string[]
    readonly approved: readonly string[]
    readonly rejected: readonly string[]
  }
  readonly uploads: { readonly document: UploadWay; readonly spreadsheet: UploadWay }
}

/** Any part of a dialect, at any depth; a list, and the way of an upload, is replaced as a whole. */
export type Partly<T> = {
  readonly [M in keyof T]?: T[M] extends readonly string[]
    ? string | T[M]
    : T[M] extends string | null | UploadWay
      ? T[M]
      : Partly<T[M]>
}

const uploadWay = (files: string): UploadWay => ({
  prepare: {
    path: `/api/v1/uploads/${files}/prepare`,
    fileName: '/fileName',
    contentType: '/contentType',
    size: '/size',
  },
  finalize: { path: `/api/v1/uploads/${files}/finalize`, uploadId: '/uploadId', bytes: '/bytes' },
})

export const defaultDialect: Dialect = {
  routes: {
    subscription: '/api/v1/billing/subscription',
    plans: '/api/v1/billing/plans',
    invoices: '/api/v1/billing/invoices',
    agents: 'agents.list',
  },
  lists: { plans: ['/plans', ''], invoices: ['/invoices', ''], agents: ['/agents', ''] },
  subscription: { status: ['/status'], planName: ['/plan/displayName', '/plan/display_name'] },
  usage: { container: [''] },
  discovery: {
    list: ['/operations', ''],
    cursor: ['/next_cursor', '/nextCursor'],
    cursorParameter: 'cursor',
    id: ['/id', '/operation_id', '/operationId', '/name'],
    schema: ['/inputSchema', '/input_schema'],
  },
  execution: { input: '/input', key: null, keyHeader: 'Idempotency-Key' },
  receipt: {
    taskId: ['/task_id', '/taskId', '/task/id'],
    approvalId: [
      '/approval_id',
      '/approvalId',
      '/approval/id',
      '/error/approval_id',
      '/error/approvalId',
      '/error/approval/id',
    ],
  },
  task: { state: ['/state'] },
  approval: {
    state: ['/state', '/status'],
    receipt: ['/receipt', ''],
    pending: ['pending', 'pending_approval'],
    approved: ['approved'],
    rejected: ['rejected'],
  },
  uploads: { document: uploadWay('documents'), spreadsheet: uploadWay('spreadsheets') },
}
