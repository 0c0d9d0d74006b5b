/**
 * What the contract does not show, and a client needs all the same. The defaults are what the simulator does; JSON
 * pointers (RFC 6901) are tried in their order. Hand in what your service does otherwise, any member of it.
 */

export interface UploadRoutes {
  /** Below the base address. */
  readonly prepare: string
  readonly finalize: string
}

export interface Dialect {
  /** A path below the base address, or the id of the operation that reads it. */
  readonly billing: {
    readonly subscription: string
    readonly plans: string
    readonly invoices: string
    /** Where the answers have their list. */
    readonly planList: readonly string[]
    readonly invoiceList: readonly string[]
  }
  readonly discovery: {
    readonly list: readonly string[]
    /** What leads to the next page, where there are pages, and the parameter of the query that takes it. */
    readonly cursor: readonly string[]
    readonly cursorParameter: string
    /** In each operation. */
    readonly id: readonly string[]
    readonly schema: readonly string[]
  }
  readonly execution: {
    /** The member of the body that holds the input; null where the body is the input. */
    readonly inputMember: string | null
    /** The member of the body that holds the key, too; null where the header is enough. */
    readonly keyMember: string | null
  }
  readonly receipt: { readonly taskId: readonly string[]; readonly approvalId: readonly string[] }
  readonly approval: { readonly state: readonly string[] }
  readonly uploads: {
    readonly document: UploadRoutes
    readonly spreadsheet: UploadRoutes
    /** Members of the two bodies: the first three when it is prepared, the others when it is finalized. */
    readonly members: {
      readonly fileName: string
      readonly contentType: string
      readonly size: string
      readonly uploadId: string
      readonly bytes: string
    }
    /** Where the first receipt has the id of the upload. */
    readonly uploadId: readonly string[]
  }
}

/** Any part of a dialect, at any depth; a list is replaced as a whole. */
export type Partly<T> = {
  readonly [M in keyof T]?: T[M] extends readonly unknown[] | string | null ? T[M] : Partly<T[M]>
}

const uploadRoutes = (files: string): UploadRoutes => ({
  prepare: `/api/v1/uploads/${files}/prepare`,
  finalize: `/api/v1/uploads/${files}/finalize`,
})

export const defaultDialect: Dialect = {
  billing: {
    subscription: '/api/v1/billing/subscription',
    plans: '/api/v1/billing/plans',
    invoices: '/api/v1/billing/invoices',
    planList: ['/plans', ''],
    invoiceList: ['/invoices', ''],
  },
  discovery: {
    list: ['/operations', ''],
    cursor: ['/next_cursor', '/nextCursor'],
    cursorParameter: 'cursor',
    id: ['/id', '/operation_id', '/operationId', '/name'],
    schema: ['/inputSchema', '/input_schema'],
  },
  execution: { inputMember: 'input', keyMember: null },
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
  approval: { state: ['/state', '/status'] },
  uploads: {
    document: uploadRoutes('documents'),
    spreadsheet: uploadRoutes('spreadsheets'),
    members: {
      fileName: 'fileName',
      contentType: 'contentType',
      size: 'size',
      uploadId: 'uploadId',
      bytes: 'bytes',
    },
    uploadId: ['/data/uploadId', '/data/upload_id', '/data/id'],
  },
}

/** The defaults, with what is handed in in place of them. */
export function dialectOf(own: Partly<Dialect> = {}): Dialect {
  const { billing, discovery, execution, receipt, approval, uploads = {} } = own
  const base = defaultDialect
  return {
    billing: { ...base.billing, ...billing },
    discovery: { ...base.discovery, ...discovery },
    execution: { ...base.execution, ...execution },
    receipt: { ...base.receipt, ...receipt },
    approval: { ...base.approval, ...approval },
    uploads: {
      document: { ...base.uploads.document, ...uploads.document },
      spreadsheet: { ...base.uploads.spreadsheet, ...uploads.spreadsheet },
      members: { ...base.uploads.members, ...uploads.members },
      uploadId: uploads.uploadId ?? base.uploads.uploadId,
    },
  }
}
