/** Notes of the project: a write that is done at once, and the read that counts what it did. */
import { isObject } from '../../json.ts'
import {
  completedOutcome,
  emailSchema,
  members,
  newest,
  readOperation,
  writeOperation,
  type Operation,
} from '../operation.ts'

const tag = { type: 'string', pattern: '^[a-z][a-z0-9-]{0,19}$' }

const noteInput = members(
  {
    text: { type: 'string', minLength: 1, maxLength: 500 },
    priority: { type: 'string', enum: ['low', 'normal', 'high'] },
    tags: { type: 'array', items: tag, maxItems: 5, uniqueItems: true },
    remindAt: { type: 'string', format: 'date-time', maxLength: 40 },
    author: members(
      {
        name: { type: 'string', minLength: 1, maxLength: 80 },
        email: emailSchema,
      },
      ['name'],
    ),
  },
  ['text'],
)

export const noteOperations: readonly Operation[] = [
  writeOperation({
    id: 'notes.create',
    title: 'Create a note',
    description: 'Adds one note to the project. Done at once.',
    input: noteInput,
    perform: (state, { data, input }) => {
      const id = `note_${data.random.word(12)}`
      data.notes.add({ id, createdAt: new Date(state.clock.date()).toISOString(), ...input }, id)
      return completedOutcome({ id, count: data.notes.count() })
    },
  }),
  readOperation({
    id: 'notes.list',
    title: 'List notes',
    description: 'The newest notes first, and how many there are in all.',
    input: members({ tag, limit: { type: 'integer', minimum: 1, maximum: 100 } }, []),
    perform: (_tenantState, { data, input }) => {
      const { tag, limit } = input
      if (tag === undefined)
        return completedOutcome({ notes: newest(data.notes.values(), limit), count: data.notes.count() })
      const found = data.notes.values().filter((note) => tagsOf(note).includes(tag))
      return completedOutcome({ notes: newest(found, limit), count: found.length })
    },
  }),
]

function tagsOf(note: unknown): readonly unknown[] {
  const tags = isObject(note) ? note['tags'] : []
  return Array.isArray(tags) ? tags : []
}
