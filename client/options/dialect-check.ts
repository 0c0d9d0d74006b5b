/** A dialect that was handed in, checked member by member, and completed with the defaults. */
import { defaultDialect, type Dialect, type Partly } from './dialect.ts'
import { InvalidCall } from '../errors.ts'
import { isObject, type JsonObject } from '../json.ts'

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
