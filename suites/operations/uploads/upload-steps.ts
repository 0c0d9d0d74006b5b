/** A complete upload with the steps that the target file declares. */
import type { Driver } from '../../scenario/driver.ts'
import type { Many } from '../../scenario/exchange-names.ts'
import { goesOn } from '../assertions/upload.ts'
import { receiptStatus } from '../assertions/receipt.ts'
import { isFinal, stateShown } from '../assertions/task.ts'
import type { UploadKind } from '../../config/dialect.ts'
import type { Exchange } from '../../wire/exchange.ts'
import { pollUntil, pollIntervals } from '../tasks/polling.ts'
import { taskPath } from '../tasks/task-requests.ts'
import { workbook, workbookType } from './workbook.ts'

export interface File {
  fileName: string
  contentType: string
  bytes: Uint8Array
}

/** The content of an upload; sent again with the same, it is the same upload. */
export interface Sending extends File {
  kind: UploadKind
  prepareKey: string
  finalizeKey: string
}

type Source = Pick<Driver, 'key' | 'text' | 'uuid'>

/** Files of which no two are equal. */
export const files = {
  text: (t) => file(t, 'txt', 'text/plain', `Opening hours\n\n${t.text(200)}\n`),
  csv: (t) => file(t, 'csv', 'text/csv', `name,city\r\nIda ${word(t)},Bern\r\nBo,Oslo\r\n`),
  workbook: (t) =>
    file(
      t,
      'xlsx',
      workbookType,
      workbook([
        ['name', 'city'],
        [`Ida ${word(t)}`, 'Bern'],
        ['Bo', 'Oslo'],
      ]),
    ),
} satisfies Readonly<Record<string, (t: Source) => File>>

function word({ uuid }: Source): string {
  return uuid().replaceAll('-', '')
}

function file(t: Source, ending: string, contentType: string, content: string | Uint8Array): File {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  return { fileName: `touchstone-${word(t).slice(0, 12)}.${ending}`, contentType, bytes }
}

/** With two fresh keys. */
export function sendingOf(t: Source, kind: UploadKind, one: File): Sending {
  return { kind, ...one, prepareKey: t.key(), finalizeKey: t.key() }
}

/** Its steps in order; the last is one that fails. A target with one step is as valid as one with two. */
export async function sendUpload<N extends string>(
  t: Driver<N>,
  name: Many<N>,
  sending: Sending,
  as = 'self',
): Promise<Exchange> {
  const way = t.dialect.uploads?.[sending.kind]
  const isShort = way?.finalize !== undefined && way.prepare === undefined
  if (isShort) return finalize(t, name, sending, undefined, as)
  const prepared = await prepareUpload(t, name, sending, as)
  return goesOn(prepared) && way?.finalize ? finalize(t, name, sending, prepared, as) : prepared
}

export function prepareUpload<N extends string>(
  t: Driver<N>,
  name: Many<N>,
  sending: Sending,
  as = 'self',
): Promise<Exchange> {
  const keys = { key: sending.prepareKey, otherKey: sending.finalizeKey }
  return t.uploadMore(name, { ...fileOf(sending), step: 'prepare', ...keys, as })
}

export function finalize<N extends string>(
  t: Driver<N>,
  name: Many<N>,
  sending: Sending,
  prepared: Exchange | undefined,
  as = 'self',
): Promise<Exchange> {
  const before = prepared ? { prepared } : {}
  return t.uploadMore(name, {
    ...fileOf(sending),
    step: 'finalize',
    key: sending.finalizeKey,
    otherKey: sending.prepareKey,
    as,
    ...before,
  })
}

function fileOf({ kind, fileName, contentType, bytes }: Sending): File & Pick<Sending, 'kind'> {
  return { kind, fileName, contentType, bytes }
}

/** The number of stored files of this kind; null if the target does not declare how to count them. */
export async function storedOf<N extends string>(
  t: Driver<N>,
  name: Many<N>,
  kind: UploadKind,
): Promise<number | null> {
  const way = t.dialect.uploads?.[kind]
  return way?.effect ? t.effectOf(name, way) : null
}

/** Reads the task of an upload to its end, if it has one. */
export async function readUploadTask<N extends string>(
  t: Driver<N>,
  name: Many<N>,
  outcome: Exchange,
): Promise<void> {
  const id = receiptStatus(outcome) === 'accepted' ? t.taskOf(outcome) : null
  if (id === null) return
  await pollUntil(
    t,
    pollIntervals.long,
    () => t.readMore(name, taskPath(id)),
    (read) => isFinal(stateShown(read, t.dialect)),
  )
}
