/** What the operations of one account read and change: enough of a project for every effect to be counted. */
import type { JsonObject } from '../../json.ts'
import type { Remember, Book } from '../book.ts'
import type { Random } from '../random.ts'
import type { Retention } from '../../limits.ts'

export const uploadKinds = ['document', 'spreadsheet'] as const
export type KnowledgeKind = (typeof uploadKinds)[number]

export interface FileFacts {
  readonly fileName: string
  readonly contentType: string
  readonly size: number
}

export interface PreparedUpload extends FileFacts {
  readonly id: string
  readonly kind: KnowledgeKind
  /** Milliseconds since 1970. */
  preparedAt: number
  /** Id of the approval that its renewal waits for; null where none was asked for. */
  renewal: string | null
  /** The owner has agreed to its renewal, and so to the upload. */
  renewed: boolean
  stored: boolean
}

export interface KnowledgeFile extends FileFacts {
  readonly id: string
  readonly kind: KnowledgeKind
  readonly upload: string
  readonly sha256: string
  state: 'importing' | 'ready'
}

export interface AccountLists {
  readonly notes: Rows<JsonObject>
  readonly customers: Rows<JsonObject>
  readonly erasures: Rows<JsonObject>
  readonly refunds: Rows<JsonObject>
  /** The newest draft of an agent, by agent id. */
  readonly drafts: Rows<JsonObject>
  readonly calendars: Rows<JsonObject>
  /** What was prepared, by id. */
  readonly uploads: Rows<PreparedUpload>
  /** Files that were uploaded, by id, in groups by their kind. */
  readonly knowledge: Rows<KnowledgeFile>
  /** Every write that was run, with the status of its receipt. */
  readonly audit: Rows<JsonObject>
}

export interface AccountData extends AccountLists {
  readonly random: Random
}

export interface Ground {
  readonly remember: Remember
  readonly retention: Retention
}

/** `counted`: how many there are of something has changed. */
export function createAccountData(
  account: string,
  random: Random,
  { remember, retention }: Ground,
  counted: () => void,
): AccountData {
  const rows = <T>(list: keyof AccountLists, groupOf?: (row: T) => string): Rows<T> =>
    createRows(remember<T>('data', retention.rows), `${account}/${list}/`, counted, groupOf)
  return {
    random,
    notes: rows('notes'),
    customers: rows('customers'),
    erasures: rows('erasures'),
    refunds: rows('refunds'),
    drafts: rows('drafts'),
    calendars: rows('calendars'),
    uploads: rows('uploads'),
    knowledge: rows('knowledge', ({ kind }) => kind),
    audit: rows('audit'),
  }
}

export function listsOf({ random: _random, ...lists }: AccountData): AccountLists {
  return lists
}

const people = ['Ada', 'Ben', 'Cleo', 'Dev', 'Eva', 'Finn', 'Gita', 'Hugo']

/** What the project of every account starts with. */
export function addPeople(data: AccountData): void {
  for (const name of people)
    addCustomer(data, { name, email: `${name.toLowerCase()}@example.com`, country: 'NL' })
}

export function addCustomer({ customers }: AccountData, facts: JsonObject): void {
  const id = `cus_${1001 + customers.made}`
  customers.add({ id, ...facts }, id)
}

export interface RowTotals {
  /** By group; a list without groups has one. */
  made: Readonly<Record<string, number>>
  removed: number
}

export type Rows<T> = ReturnType<typeof createRows<T>>

/** `prefix`: what ids of rows begin with in the book. `counted`: the tally has changed. */
function createRows<T>(
  book: Book<T>,
  prefix: string,
  counted: () => void,
  groupOf: (row: T) => string = () => 'all',
) {
  const tally: RowTotals = { made: {}, removed: 0 }
  const made = (): number => Object.values(tally.made).reduce((sum, count) => sum + count, 0)
  return {
    tally,
    /** What is remembered of them; ids begin with the account and the list. */
    book,
    /** Rows that were added so far: no number comes twice. */
    get made(): number {
      return made()
    },
    /** How many there are, those included that were let go; `group`: that were added to it. */
    count: (group?: string): number =>
      group === undefined ? made() - tally.removed : (tally.made[group] ?? 0),
    get: (id: string): T | undefined => book.get(prefix + id),
    /** `id`: default its number. */
    add: (row: T, id?: string): void => {
      const group = groupOf(row)
      tally.made = { ...tally.made, [group]: (tally.made[group] ?? 0) + 1 }
      counted()
      book.set(prefix + (id ?? String(made())), row)
    },
    /** The row was changed where it stands. */
    touch: (id: string): void => book.touch(prefix + id),
    remove: (id: string): boolean => {
      if (!book.delete(prefix + id)) return false
      tally.removed++
      counted()
      return true
    },
    values: (): readonly T[] => [...book.values()],
  }
}
