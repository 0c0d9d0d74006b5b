/** A held document, which continues when it is sent again with the same two keys. */
import { scenario, type Driver, type Judgement } from '../../scenario/scenario.ts'
import {
  heldHistory,
  historyNote,
  nothingAfterRejection,
  nothingBefore,
  type HeldEntry,
} from '../assertions/approval.ts'
import { answered } from '../../assertions/answer.ts'
import { unrest } from '../assertions/done-once.ts'
import { all, fail, given, inconclusive, pass } from '../../scenario/expect.ts'
import { describeReceipt } from '../assertions/receipt.ts'
import {
  judgeUpload,
  goesOn,
  heldWhereNeeded,
  isTaken,
  sameUpload,
  storedOnce,
} from '../assertions/upload.ts'
import type { Dialect } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { pollUntil, mostPolls, pollIntervals } from '../tasks/polling.ts'
import { files, readUploadTask, sendUpload, sendingOf, storedOf, type Sending } from './upload-steps.ts'

type Names = `${'held' | 'again' | 'after' | 'repeat' | 'next' | 'rejected' | 'tasks' | 'effect'}[]`
type DocumentDriver = Driver<Names>

/** Counts the documents after each step, if the target declares how. */
function counter(
  t: DocumentDriver,
): (step: HeldEntry['step'], goal?: number, slot?: number) => Promise<number> {
  const history: HeldEntry[] = []
  return async (step, goal = 0, slot = 0) => {
    const look = () => storedOf(t, 'effect', 'document')
    const count = await pollUntil(t, pollIntervals.long, look, (seen) => seen === null || seen >= goal)
    if (count === null) return 0
    history.push({ step, slot, count })
    t.note(historyNote, JSON.stringify(history))
    return count
  }
}

/** Sends a document; returns the id of its approval, or null if it was accepted at once, as it may be. */
async function hold(t: DocumentDriver, sending: Sending): Promise<string | null> {
  const held = await sendUpload(t, 'held', sending)
  if (goesOn(held) && !t.dialect.uploads?.document?.needsApproval) {
    await readUploadTask(t, 'tasks', held)
    return null
  }
  return (
    t.approvalOf(held) ??
    t.stop(`the upload was answered with ${describeReceipt(held)}, which shows no id of an approval`)
  )
}

function onceIn(history: readonly HeldEntry[], sent: readonly Exchange[]): Judgement {
  const [first = 0, second = first, ...rest] = history.map(({ count }) => count)
  return storedOnce((rest.at(-1) ?? first) - first, sent, { [unrest]: first !== second })
}

/** Over the whole scenario: one that was stored too early is not stored again. */
function storedIn(history: readonly HeldEntry[], sent: readonly Exchange[]): Judgement {
  const [first, second, ...rest] = history.map(({ count }) => count)
  const last = rest.at(-1)
  if (first === undefined || last === undefined) return pass
  if (last < first + 1 && first === second)
    return fail('one file more', 'none, sent again and given time', sent.at(-1))
  return onceIn(history, sent)
}

const heldNow = (held: readonly Exchange[], dialect: Dialect): Judgement =>
  judgeUpload(held, (outcome) => heldWhereNeeded(outcome, dialect))

/** The owner approved one document, not later ones, which may be refused while it is imported. */
function nextHeld(
  { after, next }: Record<'after' | 'next', readonly Exchange[]>,
  dialect: Dialect,
): Judgement {
  const isFollowed = judgeUpload(after, isTaken).is === 'pass' && next.slice(-1).some(goesOn)
  const judged = isFollowed ? heldNow(next, dialect) : pass
  return judged.is === 'fail' ? judged : pass
}

/** Another document, which the owner rejects, and which is sent again. */
async function reject(t: DocumentDriver, counted: ReturnType<typeof counter>): Promise<void> {
  const sending = sendingOf(t, 'document', files.text(t))
  const approvalId = t.approvalOf(await sendUpload(t, 'next', sending))
  if (approvalId === null) return
  await counted('ask', 0, 1)
  await t.enter('approval.rejected', { approvalId })
  await sendUpload(t, 'rejected', sending)
  await t.settle(500)
  await counted('reject', 0, 1)
}

/** What was counted for the document that is approved. */
const historyOf = (notes: Parameters<typeof heldHistory>[0]): readonly HeldEntry[] =>
  heldHistory(notes).filter(({ slot }) => slot === 0)

export const approved = scenario({
  title:
    'a document is stored once after it was approved and sent again, not before, and a rejected one not at all',
  exchanges: ['held[]', 'again[]', 'after[]', 'repeat[]', 'next[]', 'rejected[]', 'tasks[]', 'effect[]'],
  needs: { uploads: 'document', principal: { with: ['knowledge.write'] } },
  cost: { requests: 14 + 2 * mostPolls.short + 3 * mostPolls.long + 8, turns: 0 },
  async run(t) {
    const sending = sendingOf(t, 'document', files.text(t))
    const counted = counter(t)
    await counted('look')
    await t.settle(500)
    const before = await counted('look')
    const approvalId = await hold(t, sending)
    await t.settle(500)
    await sendUpload(t, 'again', sending)
    await counted('again')
    if (approvalId !== null) {
      await t.enter('approval.approved', { approvalId })
      await counted('approve')
      const outcome = await pollUntil(t, pollIntervals.short, () => sendUpload(t, 'after', sending), goesOn)
      await readUploadTask(t, 'tasks', outcome)
    }
    await counted('settle', before + 1)
    await sendUpload(t, 'repeat', sending)
    await t.settle(500)
    await counted('again')
    if (approvalId !== null) await t.optional(['rejected'], () => reject(t, counted))
  },
  judge: {
    'UPL-DOCUMENT-HELD': (scenario, { notes, dialect }) =>
      judgeUpload(scenario.held, (outcome) =>
        given(answered(outcome), () => {
          const judged = heldWhereNeeded(outcome, dialect)
          if (judged.is !== 'pass') return judged
          const counted = nothingBefore(heldHistory(notes))
          return counted.is === 'fail' ? counted : nextHeld(scenario, dialect)
        }),
      ),
    'UPL-DOCUMENT-PROCEEDS': ({ held, after }, { notes, dialect }) =>
      given(heldNow(held, dialect), () =>
        all(judgeUpload(after, isTaken), storedIn(historyOf(notes), after)),
      ),
    'UPL-RETRY-ONCE': ({ held, again, after, repeat }, { notes, dialect }) =>
      given(judgeUpload(after.length > 0 ? after : held, isTaken), () => {
        const history = historyOf(notes)
        return history.length > 0
          ? onceIn(history, [...again, ...after, ...repeat])
          : sameUpload(held, repeat, dialect, 'document')
      }),
    'APPR-REJECTED': ({ held, rejected }, { notes, dialect }) =>
      given(heldNow(held, dialect), () =>
        rejected.length === 0
          ? inconclusive('no second document was held, so that none was rejected')
          : nothingAfterRejection(heldHistory(notes)),
      ),
  },
})
