/** Judgements on the outcome of an upload: the response to its last step. */
import type { Judgement } from '../../scenario/scenario.ts'
import type { Dialect, UploadKind } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { answered, codesOf, statusOf } from '../../assertions/answer.ts'
import { all, fail, check, given, inconclusive, notApplicable, pass, warn } from '../../scenario/expect.ts'
import { effectIsSteady, unseen } from './done-once.ts'
import { taskIdOf, uploadIdOf } from './pointers/pointer-receipt.ts'
import {
  failureCode,
  hasErrorText,
  receiptStatus,
  reaches,
  describeReceipt,
  refusedExecution,
} from './receipt.ts'

const isSuccess = ({ response }: Exchange): boolean =>
  response !== null && response.status >= 200 && response.status < 300

/** Whether the next step may follow: a step may have no receipt. */
export function goesOn(step: Exchange): boolean {
  const status = receiptStatus(step)
  return isSuccess(step) && status !== 'failed' && status !== 'pending_approval'
}

export function uploadOutcomeOf(steps: readonly Exchange[]): Exchange | undefined {
  return steps.at(-1)
}

export function judgeUpload(steps: readonly Exchange[], judge: (outcome: Exchange) => Judgement): Judgement {
  const outcome = uploadOutcomeOf(steps)
  return outcome ? judge(outcome) : inconclusive('the upload was not sent')
}

/** Stored, or about to be. */
export function isTaken(outcome: Exchange): Judgement {
  return given(answered(outcome), () =>
    check(goesOn(outcome), 'the upload to be taken', describeReceipt(outcome), outcome),
  )
}

export function isHeld(outcome: Exchange): Judgement {
  return reaches(outcome, 'pending_approval')
}

/**
 * Held for the owner. An upload that is accepted at once fails if the target file declares that approval is required,
 * and is not judged otherwise: the contract holds an upload only where approval is required.
 */
export function heldWhereNeeded(outcome: Exchange, { uploads }: Dialect): Judgement {
  if (uploads?.document?.needsApproval || !goesOn(outcome)) return isHeld(outcome)
  return given(answered(outcome), () =>
    notApplicable(
      'the document was taken without approval; where approval is needed, declare `dialect.uploads.document.needsApproval`',
    ),
  )
}

export function notHeld(...outcomes: readonly Exchange[]): Judgement {
  const held = outcomes.find((outcome) => receiptStatus(outcome) === 'pending_approval')
  if (held) return fail('a spreadsheet that waits for nobody', describeReceipt(held), held)
  return outcomes.some(goesOn) ? pass : inconclusive('no spreadsheet was taken')
}

export function bothKinds(csv: Exchange, workbook: Exchange): Judgement {
  const isRefused = [csv, workbook].every((outcome) => isTaken(outcome).is === 'fail')
  const isWaiting = [csv, workbook].some((outcome) => receiptStatus(outcome) === 'pending_approval')
  if (isWaiting) return inconclusive('a spreadsheet is held for approval, so that its kind is not looked at')
  return isRefused
    ? inconclusive(`neither kind is taken: ${describeReceipt(csv)}; ${describeReceipt(workbook)}`)
    : all(isTaken(csv), isTaken(workbook))
}

/** Refused to a key, at the latest by its last step, while the same upload with another key is accepted or held. */
export function uploadRefusedBeside(
  twin: readonly Exchange[],
  refused: readonly Exchange[],
  kind: UploadKind,
): Judgement {
  return given(
    judgeUpload(twin, (outcome) => (receiptStatus(outcome) === 'pending_approval' ? pass : isTaken(outcome))),
    () =>
      judgeUpload(refused, (outcome) =>
        refusedExecution(outcome, `a ${kind} of a key without \`knowledge.write\``),
      ),
  )
}

/** A repeated upload is treated as the same upload, not as another one that was accepted. */
export function sameUpload(
  first: readonly Exchange[],
  again: readonly Exchange[],
  { uploads }: Dialect,
  kind: UploadKind,
): Judgement {
  const { prepare, finalize } = uploads?.[kind] ?? {}
  const [one, other] = [first, again].map(([prepared]) =>
    prepared ? uploadIdOf(prepared, (prepare ?? finalize)?.id) : null,
  )
  if (!one || !other)
    return inconclusive('the answers show no ids to compare; declare `effect` of the upload')
  const outcome = uploadOutcomeOf(again)
  const isAnother = one !== other && outcome !== undefined && goesOn(outcome)
  return isAnother ? fail('the same upload', 'another one, which was taken, too', outcome) : pass
}

/** Of several responses to one upload, all accepted ones lead to one task. */
export function oneTask(answers: readonly Exchange[], dialect: Dialect): Judgement {
  const taken = answers.filter(goesOn)
  const ids = new Set(taken.map((one) => taskIdOf(one, dialect)))
  if (taken.length === 0 || ids.has(null))
    return inconclusive('the answers show no ids to compare; declare `effect` of the upload')
  return check(ids.size === 1, 'one task for one upload', `${ids.size} tasks`, taken.at(-1))
}

const incomplete = 'UPLOAD_RENEWAL_INCOMPLETE'

/**
 * A failed receipt with this code has a resolution. Whether and how an expired upload is refused otherwise is not
 * stated.
 */
export function renewalIncomplete(outcome: Exchange): Judgement {
  return given(answered(outcome), () => {
    if (failureCode(outcome) === incomplete) return hasErrorText(outcome, 'resolution')
    const expected = `a failed receipt \`${incomplete}\``
    if (codesOf(outcome).includes(incomplete)) return warn(expected, describeReceipt(outcome), outcome)
    if (statusOf(outcome) >= 500) return inconclusive(`the lapsed upload got ${describeReceipt(outcome)}`)
    return notApplicable(
      `the lapsed upload got ${describeReceipt(outcome)}, which reports no incomplete renewal`,
    )
  })
}

/** One file more than before, if the files were counted. */
export function storedOnce(
  grown: unknown,
  sent: readonly Exchange[],
  notes: Parameters<typeof effectIsSteady>[0] = {},
): Judgement {
  if (typeof grown !== 'number') return inconclusive('nothing was counted')
  return given(effectIsSteady(notes), () => {
    if (grown < 1) return inconclusive(unseen)
    return check(grown === 1, 'one file more', `${grown} more`, sent.at(-1))
  })
}
