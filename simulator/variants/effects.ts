/** Reads that show what was done a while later, page by page, or beside what others do. */
import { canonicalJson, isObject } from '../json.ts'
import { remembered } from '../tenant/book.ts'
import type { AccountData } from '../tenant/operations/account-data.ts'
import type { Completed, Job, Operation } from '../tenant/operations/operation.ts'
import { variant, type RuleChange, type Variant } from '../modification/modification.ts'
import { onAnswer } from '../modification/operation-changes.ts'

/** Routes that report how often something was done. */
const counts = (operation: Operation): boolean => operation.kind === 'read' && operation.agentMember === null

const cacheMs = 1_500

/** What each account was shown last of a read, and when. */
const cached: RuleChange = (was) => {
  const shown = new WeakMap<AccountData, Map<string, { at: number; outcome: Completed }>>()
  return {
    performs(operation, job, state) {
      const outcome = was.performs(operation, job, state)
      if (!counts(operation) || operation.route !== null || outcome.is !== 'completed') return outcome
      const book = remembered(shown, job.data, () => new Map<string, { at: number; outcome: Completed }>())
      const place = `${operation.id} ${canonicalJson(job.input)}`
      const known = book.get(place)
      const now = state.clock.now()
      if (known && now - known.at < cacheMs) return known.outcome
      book.set(place, { at: now, outcome })
      return outcome
    },
  }
}

function besides({ id }: Operation, { data }: Job): void {
  if (id === 'notes.list') data.notes.add({ id: `note_other${data.notes.made}`, text: 'By somebody else.' })
  if (id === 'customers.erasures') data.erasures.add({ customerId: 'cus_9999', reason: 'law' })
  if (id === 'payments.list') data.refunds.add({ paymentId: 'pay_other' })
  if (id === 'knowledge.list')
    for (const kind of ['document', 'spreadsheet'] as const)
      data.knowledge.add({
        id: `file_other${data.knowledge.made}${kind}`,
        kind,
        upload: '',
        fileName: 'theirs.csv',
        contentType: 'text/csv',
        size: 1,
        sha256: '',
        state: 'ready',
      })
}

const pageSize = 12

function cursorOf(path: string): number {
  return Number(new URL(path, 'http://localhost').searchParams.get('cursor') ?? 0) || 0
}

export const effectVariants = {
  'reads-cached': variant({
    title: 'What a read showed is shown again for a second and a half, whatever was done meanwhile.',
    allowed: 'That what was done shows at once is not stated.',
    rules: cached,
  }),
  'counts-that-others-move': variant({
    title: 'Others of the project add to its lists all the time.',
    allowed: 'A project has more than one user.',
    rules: (was) => ({
      performs(operation, job, state) {
        besides(operation, job)
        return was.performs(operation, job, state)
      },
    }),
  }),
  'discovery-in-pages': variant({
    title: 'The list of operations comes in pages of twelve, with a cursor for the next.',
    allowed: 'How the list looks is not shown.',
    ...onAnswer(
      ({ operation }, { status }) => operation === 'discover' && status === 200,
      (reply, { path }) => {
        if (!isObject(reply.body) || !Array.isArray(reply.body['operations'])) return reply
        const [rows, from] = [reply.body['operations'], cursorOf(path)]
        const next = from + pageSize < rows.length ? String(from + pageSize) : null
        return { ...reply, body: { operations: rows.slice(from, from + pageSize), next_cursor: next } }
      },
    ),
  }),
  'task-of-minutes': variant({
    title: 'A task takes two minutes for each of its states.',
    allowed: 'How long the work of a task takes is not shown.',
    rules: () => ({ paceOf: () => ({ by: 'time', stepMs: 120_000 }) }),
  }),
  'task-late-all-at-once': variant({
    title:
      'A scheduler that was paused for three quarters of a minute does all work at once when it goes on.',
    allowed: 'How long the work of a task takes is not shown.',
    rules: () => ({
      paceOf: () => ({ by: 'time', stepMs: 45_000 }),
      taskPath: ({ ends }) => ['queued', ends],
    }),
  }),
} as const satisfies Record<string, Variant>
