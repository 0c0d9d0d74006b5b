/**
 * What the contract does not show, and a client needs all the same. The defaults are what the simulator does; JSON
 * pointers (RFC 6901) are tried in their order. Give any member of it that your service has otherwise. Where the
 * dialect of a target file says the same thing, it has the same name.
 */
import { type JsonObject, isObject } from '../json.ts'
import { InvalidCall } from '../errors.ts'

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

/** What a member may be: a test, and what to write instead. */
interface Kind {
  readonly fits: (value: unknown) => boolean
  readonly write: string
}

const text = (pattern: RegExp, write: string): Kind => ({
  fits: (value) => typeof value === 'string' && pattern.test(value),
  write,
})
const orNull = ({ fits, write }: Kind): Kind => ({
  fits: (value) => value === null || fits(value),
  write: `${write}, or null`,
})
const several = ({ fits, write }: Kind): Kind => ({
  fits: (value) => fits(value) || (Array.isArray(value) && value.length > 0 && value.every(fits)),
  write: `${write}, or a list of several`,
})

const pointer = text(/^(\/([^~]|~[01])*)?$/s, 'Give a JSON pointer, such as /data/state')
const pointers = several(pointer)
const header = text(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, 'Give the name of a header')
const word = text(/./s, 'Give a text')
const words = several(word)
const path = text(/^\/(?!\/)/, 'Give a path below the base address, such as /api/v1/files')
const method: Kind = { fits: (value) => value === 'POST' || value === 'PUT', write: 'Give POST or PUT' }
const members: Kind = { fits: isObject, write: 'Give an object' }

/** Members by name; `required` names those that may not be left out. */
interface Table {
  readonly required?: readonly string[]
  readonly has: { readonly [member: string]: Kind | Table }
}
const table = (has: Table['has'], ...required: string[]): Table => ({ has, required })

const step = table(
  {
    path,
    method,
    members,
    key: pointer,
    keyHeader: header,
    otherKey: pointer,
    otherKeyHeader: header,
    fileName: pointer,
    contentType: pointer,
    size: pointer,
    bytes: pointer,
    uploadId: pointer,
    id: pointers,
  },
  'path',
)
const way = table({ prepare: step, finalize: step }, 'finalize')

const dialect = table({
  routes: table({ subscription: word, plans: word, invoices: word, agents: word }),
  lists: table({ plans: pointers, invoices: pointers, agents: pointers }),
  subscription: table({ status: pointers, planName: pointers }),
  usage: table({ container: pointers }),
  discovery: table({
    list: pointers,
    cursor: pointers,
    cursorParameter: word,
    id: pointers,
    schema: pointers,
  }),
  execution: table({ input: pointer, key: orNull(pointer), keyHeader: orNull(header) }),
  receipt: table({ taskId: pointers, approvalId: pointers }),
  task: table({ state: pointers }),
  approval: table({ state: pointers, receipt: pointers, pending: words, approved: words, rejected: words }),
  uploads: table({ document: way, spreadsheet: way }),
} satisfies Record<keyof Dialect, Kind | Table>)

function check(place: string, value: unknown, wanted: Kind | Table): void {
  if (value === undefined) return
  if ('fits' in wanted) {
    if (wanted.fits(value)) return
    throw new InvalidCall(`\`${place}\` is ${JSON.stringify(value)}.`, `${wanted.write}.`)
  }
  const known = Object.keys(wanted.has).join(', ')
  if (!isObject(value))
    throw new InvalidCall(`\`${place}\` is ${JSON.stringify(value)}.`, `Give an object with any of ${known}.`)
  for (const [name, member] of Object.entries(value)) {
    const kind = Object.hasOwn(wanted.has, name) ? wanted.has[name] : undefined
    if (!kind) throw new InvalidCall(`\`${place}.${name}\` is unknown.`, `Use ${known}.`)
    check(`${place}.${name}`, member, kind)
  }
  for (const name of wanted.required ?? [])
    if (value[name] === undefined) throw new InvalidCall(`\`${place}.${name}\` is missing.`, 'Give it.')
}

/** One request has to carry both keys, and bytes are either its body or a member of it. */
function checkUploads({ uploads }: Dialect): void {
  for (const [kind, { prepare, finalize }] of Object.entries(uploads)) {
    const place = `dialect.uploads.${kind}`
    if (!prepare && finalize.otherKey === undefined && finalize.otherKeyHeader === undefined)
      throw new InvalidCall(
        `\`${place}\` has one request, and no place in it for the prepare key.`,
        `Give \`${place}.finalize.otherKeyHeader\` or \`otherKey\`, or \`${place}.prepare\`.`,
      )
    if (prepare?.bytes === undefined && finalize.bytes === undefined)
      throw new InvalidCall(`\`${place}\` sends the bytes nowhere.`, 'Give `bytes` in one of its requests.')
  }
}

/** Leaves that take several are lists in the whole; the way of an upload is replaced as it is. */
function merged(base: unknown, own: unknown, wanted: Kind | Table): unknown {
  if (own === undefined) return base
  if (wanted === pointers || wanted === words) return [own].flat()
  if ('fits' in wanted || wanted === way) return own
  const [ofBase, ofOwn] = [base as JsonObject, own as JsonObject]
  return Object.fromEntries(
    Object.entries(wanted.has).map(([name, kind]) => [name, merged(ofBase[name], ofOwn[name], kind)]),
  )
}

/** Throws `InvalidCall` for a member that is unknown, or not of its kind, at any depth. */
export function checkDialect(own: unknown): asserts own is Partly<Dialect> {
  check('dialect', own, dialect)
}

/** The defaults, with what is handed in in place of them. Throws `InvalidCall`. */
export function dialectOf(own: Partly<Dialect> = {}): Dialect {
  checkDialect(own)
  const whole = merged(defaultDialect, own, dialect) as Dialect
  checkUploads(whole)
  return whole
}
