/** Runs held operations step by step, and counts after each how often they were done. */
import { joined } from '../../../bundle/chunks.ts'
import { ScenarioEnded } from '../../scenario/ending.ts'
import type { Driver } from '../../scenario/scenario.ts'
import { historyNote, type HeldEntry, type HeldStep } from '../assertions/approval.ts'
import { isKeyDeclared, describeReceipt, receiptStatus } from '../assertions/receipt.ts'
import { isFinal, stateShown, decisionIn } from '../assertions/task.ts'
import type { Provide } from '../../config/provided.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { pollUntil, mostPolls, pollIntervals } from './polling.ts'
import { taskPath } from './task-requests.ts'

export type HeldNames = 'receipts[]' | 'reads[]' | 'effect[]' | 'tasks[]'
type HeldDriver = Driver<HeldNames>
export type HeldScript = readonly (readonly [HeldStep, number])[]

export const approvalPath = (id: string): string => `/api/v1/approvals/${encodeURIComponent(id)}`

interface Held {
  request: { input: ReturnType<HeldDriver['inputOf']>; key: string }
  approvalId: string
  receipt: Exchange
  read: Exchange | null
  /** See `HeldEntry`. */
  renamed?: HeldEntry['renamed']
}

/** The most requests of a script: most steps are followed by a read of the effect. */
export function heldCostOf(script: HeldScript): number {
  const settling = script.filter(([step]) => step === 'settle').length
  const decided = script.filter(([step]) => step === 'approve' || step === 'reject').length
  return 4 + 2 * script.length + settling * 2 * mostPolls.long + decided * mostPolls.short
}

export async function runHeldOnce(
  t: Driver<HeldNames | 'last'>,
  script: HeldScript,
  aside: (approvalId: string) => Promise<void>,
): Promise<void> {
  const first = await runHeld(t, script, historyNote, aside)
  if (first !== null) await t.read('last', approvalPath(first))
}

/**
 * Counts after most steps. Writes a note for `heldHistory` after every step, so that results count even if the scenario ends early. Returns
 * the id of the first approval.
 */
export async function runHeld(
  t: HeldDriver,
  script: HeldScript,
  note: string,
  aside: (approvalId: string) => Promise<void> = async () => {},
): Promise<string | null> {
  const held = new Map<number, Held>()
  const history: HeldEntry[] = []
  // Nothing is counted without a declared effect: the judges of counts then have no exchange.
  const count = async (): Promise<number> => (await t.effectOf('effect', t.operation)) ?? 0
  const all: HeldScript = [['look', 0], ['look', 0], ...script]
  for (const [at, [step, slot]] of all.entries()) {
    const seen = await steps[step](t, held, slot)
    if (step === 'aside') await aside(heldAt(held, slot).approvalId)
    const settled = step === 'settle' ? await settle(t, history, held.get(slot), count) : {}
    const before = isCountedLater(all, at) ? history.at(-1)?.count : undefined
    history.push({
      step,
      slot,
      count: before ?? settled.count ?? (await count()),
      counted: t.exchanges().at(-1)?.id ?? 0,
      ...(seen ? { exchange: seen.id } : {}),
      ...(step === 'twice' ? { renamed: held.get(slot)?.renamed } : {}),
      ...(settled.excuse === undefined ? {} : { excuse: settled.excuse }),
    })
    t.note(note, JSON.stringify(history))
  }
  const [first] = held.values()
  return first?.approvalId ?? null
}

const decisions: readonly HeldStep[] = ['approve', 'twice', 'reject']

/** The count after the next step shows what this one did, too: of the same operation, or before any decision. */
function isCountedLater(script: HeldScript, at: number): boolean {
  const [[step, slot] = [], [next, nextSlot] = []] = script.slice(at, at + 2)
  if (step === undefined || next === undefined || ['look', 'wait', 'settle'].includes(step)) return false
  const isDecided = script.slice(0, at + 1).some(([one]) => decisions.includes(one))
  return (slot === nextSlot || !isDecided) && (next === 'twice' || !decisions.includes(next))
}

type Run = (t: HeldDriver, held: Map<number, Held>, slot: number) => Promise<Exchange | null>

const nothing: Run = async () => null

const steps: Readonly<Record<HeldStep, Run>> = {
  look: nothing,
  settle: nothing,
  aside: nothing,
  async ask(t, held, slot) {
    const request = { input: t.inputOf(t.operation), key: t.key() }
    const receipt = await t.executeMore('receipts', t.operation, request)
    const approvalId =
      t.approvalOf(receipt) ??
      t.stop(
        `\`${t.operation.id}\` was answered with ${describeReceipt(receipt)}, which shows no id of an approval`,
      )
    held.set(slot, { request, approvalId, receipt, read: null })
    return receipt
  },
  async again(t, held, slot) {
    const one = heldAt(held, slot)
    one.receipt = await t.executeMore('receipts', t.operation, one.request)
    return one.receipt
  },
  async read(t, held, slot) {
    const one = heldAt(held, slot)
    one.read = await t.readMore('reads', approvalPath(one.approvalId))
    return one.read
  },
  async wait(t) {
    await t.settle(500)
    return null
  },
  approve: (t, held, slot) => decide(t, heldAt(held, slot), 'approved'),
  async twice(t, held, slot) {
    const one = heldAt(held, slot)
    const approvalId = t.approvalOf(one.receipt) ?? one.approvalId
    // Whether a second decision is accepted is unspecified, and a manual provider is not asked twice.
    if (!byMachine.includes(t.providerOf('approval.approved'))) return null
    const isOther = approvalId !== one.approvalId
    if (
      isOther &&
      decisionIn(await t.readMore('reads', approvalPath(approvalId)), t.dialect) === 'approved'
    ) {
      one.renamed = 'same'
      return null
    }
    const accepted = await t.enter('approval.approved', { approvalId }).then(() => true, unlessEnded)
    if (accepted && isOther) one.renamed = 'approved'
    return null
  },
  reject: (t, held, slot) => decide(t, heldAt(held, slot), 'rejected'),
}

const byMachine: readonly Provide[] = ['control', 'http', 'exec']

function unlessEnded(thrown: unknown): false {
  if (!(thrown instanceof ScenarioEnded)) throw thrown
  return false
}

function heldAt(held: ReadonlyMap<number, Held>, slot: number): Held {
  const found = held.get(slot)
  if (found) return found
  throw new Error(`the script goes on with operation ${slot}, which it has not asked for`)
}

/** A decision may appear with a delay. */
async function decide(
  t: HeldDriver,
  held: Held,
  decision: 'approved' | 'rejected',
): Promise<Exchange | null> {
  const { approvalId, read } = held
  await t.enter(`approval.${decision}`, { approvalId })
  const before = read ? bodyOf(read) : null
  const after = await pollUntil(
    t,
    pollIntervals.short,
    () => t.readMore('reads', approvalPath(approvalId)),
    (one) => before === null || bodyOf(one) !== before,
  )
  held.read = after
  return after
}

function bodyOf({ response }: Exchange): string {
  return joined(response?.chunks).toString('latin1')
}

/** Waits until all approved work is done, as the count says; if it was not, with an excuse if the approval may not be the cause. */
async function settle(
  t: HeldDriver,
  history: readonly HeldEntry[],
  held: Held | undefined,
  count: () => Promise<number>,
): Promise<Pick<Partial<HeldEntry>, 'count' | 'excuse'>> {
  if (t.operation.effect === undefined) return {}
  const approved = history.filter(({ step }) => step === 'approve').length
  const goal = (history[0]?.count ?? 0) + approved
  const task = held && receiptStatus(held.receipt) === 'accepted' ? t.taskOf(held.receipt) : null
  const look = async (): Promise<number> => {
    // The work may continue only when its task is read.
    if (task !== null) await t.readMore('tasks', taskPath(task))
    return count()
  }
  const done = await pollUntil(t, pollIntervals.long, look, (seen) => seen >= goal)
  const excuse = done < goal && held ? await excuseOf(t, held) : null
  return { count: done, ...(excuse === null ? {} : { excuse }) }
}

async function excuseOf(t: HeldDriver, held: Held): Promise<string | null> {
  const { receipt, read, approvalId } = held
  const isAnother = receiptStatus(receipt) === 'pending_approval' && t.approvalOf(receipt) !== approvalId
  if (isAnother && !isKeyDeclared(t.dialect))
    return 'the request that came again was held anew, as if its key were not seen: declare `dialect.execution.key` or `keyHeader`'
  if (receiptStatus(receipt) === 'accepted') return taskExcuse(t, receipt)
  const isApproved = read !== null && ['approved', null].includes(decisionIn(read, t.dialect))
  return receiptStatus(receipt) === 'failed' && isApproved
    ? `what was approved came to ${describeReceipt(receipt)}`
    : null
}

async function taskExcuse(t: HeldDriver, receipt: Exchange): Promise<string | null> {
  const id = t.taskOf(receipt)
  if (id === null) return null
  const state = stateShown(await t.readMore('tasks', taskPath(id)), t.dialect)
  if (!isFinal(state)) return `the task of what was approved is ${state ?? 'without a state'}`
  return state === 'completed' ? null : `the task of what was approved ended as ${state}`
}
