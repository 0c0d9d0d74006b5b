/** Judgements on what an upload came to: the last of its steps that was answered. */
import type { Judgement } from '../../scenario/judgement.ts'
import type { Dialect, UploadKind } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { answered, codesOf, statusOf } from '../../assertions/answer.ts'
import { all, broken, check, given, inconclusive, notApplicable, pass, weak } from '../../scenario/expect.ts'
import { restlessly, unseen } from './done-once.ts'
import { taskIdOf, uploadIdOf } from './pointers/pointer-receipt.ts'
import { failureCode, hasErrorText, receiptStatus, reaches, told, turnedDown } from './receipt.ts'

const isSuccess = ({ response }: Exchange): boolean =>
  response !== null && response.status >= 200 && response.status < 300

/** The next step may follow: a step need not be answered with a receipt. */
export function goesOn(step: Exchange): boolean {
  const status = receiptStatus(step)
  return isSuccess(step) && status !== 'failed' && status !== 'pending_approval'
}

/** The steps of one upload, in order: what it came to. */
export function outcomeOf(steps: readonly Exchange[]): Exchange | undefined {
  return steps.at(-1)
}

/** Judges what an upload came to; one that was not sent is inconclusive. */
export function came(steps: readonly Exchange[], judge: (outcome: Exchange) => Judgement): Judgement {
  const outcome = outcomeOf(steps)
  return outcome ? judge(outcome) : inconclusive('the upload was not sent')
}

/** Stored, or on its way to be. */
export function isTaken(outcome: Exchange): Judgement {
  return given(answered(outcome), () =>
    check(goesOn(outcome), 'the upload to be taken', told(outcome), outcome),
  )
}

export function isHeld(outcome: Exchange): Judgement {
  return reaches(outcome, 'pending_approval')
}

/**
 * Held for the owner. What is taken at once fails where the target file says that approval is needed, and is not
 * judged elsewhere: the contract holds an upload only where approval is required.
 */
export function heldWhereNeeded(outcome: Exchange, { uploads }: Dialect): Judgement {
  if (uploads?.document?.needsApproval || !goesOn(outcome)) return isHeld(outcome)
  return given(answered(outcome), () =>
    notApplicable(
      'the document was taken without approval; where approval is needed, declare `dialect.uploads.document.needsApproval`',
    ),
  )
}

/** Neither of the two waits for the owner; one that is refused says nothing of that. */
export function notHeld(...outcomes: readonly Exchange[]): Judgement {
  const held = outcomes.find((outcome) => receiptStatus(outcome) === 'pending_approval')
  if (held) return broken('a spreadsheet that waits for nobody', told(held), held)
  return outcomes.some(goesOn) ? pass : inconclusive('no spreadsheet was taken')
}

/** Each kind is taken; where none is, something else is amiss. */
export function bothKinds(csv: Exchange, workbook: Exchange): Judgement {
  const isRefused = [csv, workbook].every((outcome) => isTaken(outcome).is === 'broken')
  const isWaiting = [csv, workbook].some((outcome) => receiptStatus(outcome) === 'pending_approval')
  if (isWaiting) return inconclusive('a spreadsheet is held for approval, so that its kind is not looked at')
  return isRefused
    ? inconclusive(`neither kind is taken: ${told(csv)}; ${told(workbook)}`)
    : all(isTaken(csv), isTaken(workbook))
}

/** Refused to a key, at the latest by its last step, beside the same with another key that is taken or held. */
export function refusedBeside(
  twin: readonly Exchange[],
  refused: readonly Exchange[],
  kind: UploadKind,
): Judgement {
  return given(
    came(twin, (outcome) => (receiptStatus(outcome) === 'pending_approval' ? pass : isTaken(outcome))),
    () => came(refused, (outcome) => turnedDown(outcome, `a ${kind} of a key without \`knowledge.write\``)),
  )
}

/** What was sent again was told of as the same upload, and not as another one that was taken, too. */
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
  const outcome = outcomeOf(again)
  const isAnother = one !== other && outcome !== undefined && goesOn(outcome)
  return isAnother ? broken('the same upload', 'another one, which was taken, too', outcome) : pass
}

/** Of several answers to one upload, those that were taken lead to one task. */
export function oneTask(answers: readonly Exchange[], dialect: Dialect): Judgement {
  const taken = answers.filter(goesOn)
  const ids = new Set(taken.map((one) => taskIdOf(one, dialect)))
  if (taken.length === 0 || ids.has(null))
    return inconclusive('the answers show no ids to compare; declare `effect` of the upload')
  return check(ids.size === 1, 'one task for one upload', `${ids.size} tasks`, taken.at(-1))
}

const incomplete = 'UPLOAD_RENEWAL_INCOMPLETE'

/**
 * A failed receipt with this code has a resolution. How a lapsed upload is refused otherwise, and whether it is, is
 * not stated.
 */
export function renewalIncomplete(outcome: Exchange): Judgement {
  return given(answered(outcome), () => {
    if (failureCode(outcome) === incomplete) return hasErrorText(outcome, 'resolution')
    const expected = `a failed receipt \`${incomplete}\``
    if (codesOf(outcome).includes(incomplete)) return weak(expected, told(outcome), outcome)
    if (statusOf(outcome) >= 500) return inconclusive(`the lapsed upload got ${told(outcome)}`)
    return notApplicable(`the lapsed upload got ${told(outcome)}, which reports no incomplete renewal`)
  })
}

/** One file more than before, where that could be counted. */
export function storedOnce(
  grown: unknown,
  sent: readonly Exchange[],
  notes: Parameters<typeof restlessly>[0] = {},
): Judgement {
  if (typeof grown !== 'number') return inconclusive('nothing was counted')
  return given(restlessly(notes), () => {
    if (grown < 1) return inconclusive(unseen)
    return check(grown === 1, 'one file more', `${grown} more`, sent.at(-1))
  })
}
