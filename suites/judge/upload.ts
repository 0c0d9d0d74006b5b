/** Judgements on what an upload came to: the last of its steps that was answered. */
import type { Judgement } from '../engine/judgement.ts'
import type { Dialect, UploadKind } from '../target/dialect.ts'
import type { Exchange } from '../wire/exchange.ts'
import { answered } from './answer.ts'
import { all, broken, check, given, inconclusive, pass } from './expect.ts'
import { restlessly, unseen } from './done-once.ts'
import { taskIdOf, uploadIdOf } from './pointer-receipt.ts'
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
  const [one, other] = [first, again].map(([prepared]) =>
    prepared ? uploadIdOf(prepared, uploads?.[kind]?.prepare?.id) : null,
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

/** A failed receipt with the code of the contract, that has words for what is pending. */
export function renewalIncomplete(outcome: Exchange): Judgement {
  const status = receiptStatus(outcome)
  if (status !== null && status !== 'failed')
    return inconclusive(`what had lapsed was answered with ${told(outcome)}: its renewal was not incomplete`)
  return given(answered(outcome), () => {
    const code = failureCode(outcome)
    const expected = 'a failed receipt `UPLOAD_RENEWAL_INCOMPLETE`'
    if (code !== 'UPLOAD_RENEWAL_INCOMPLETE') return broken(expected, code ?? told(outcome), outcome)
    return hasErrorText(outcome, 'resolution')
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
