/** What went wrong with a file, in words that say what to do. */
import { StoreRefused } from './refused.ts'
import { StoreAway } from './store.ts'

/** Primary result codes of SQLite. */
const codes = {
  busy: 5,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const

function damagedWords(path: string): string {
  return `The file ${path} is damaged: put back a copy, or give another file.`
}

export const damagedFile = (path: string, cause: unknown): StoreRefused =>
  new StoreRefused(damagedWords(path), { cause })

/** Of a file that cannot be opened. */
const opening: Readonly<Record<number, (path: string) => string>> = {
  [codes.busy]: (path) =>
    `The file ${path} is in use by another process: end that one, or give another file.`,
  [codes.readOnly]: (path) => `The file ${path} may not be written: give it and its folder write permission.`,
  [codes.io]: (path) => `The file ${path} cannot be read or written: look at the disk it is on.`,
  [codes.corrupt]: damagedWords,
  [codes.full]: (path) => `The file ${path} cannot be written, for the disk is full: make room on it.`,
  [codes.cannotOpen]: (path) =>
    `The file ${path} cannot be opened: see that its folder is there and may be written.`,
  [codes.notADatabase]: (path) => `The file ${path} is no store: give another file.`,
}

/** Of a file that was open already, and may well be written again later. */
const passing: Readonly<Record<number, string>> = {
  [codes.busy]: 'somebody else is at it',
  [codes.readOnly]: 'it may not be written any more',
  [codes.io]: 'the disk does not read or write',
  [codes.full]: 'the disk is full',
  [codes.cannotOpen]: 'it cannot be opened',
}

export function openingError(error: unknown, path: string): unknown {
  const words = opening[codeOf(error)]
  return words ? new StoreRefused(words(path), { cause: error }) : error
}

export function writingError(error: unknown, path: string): unknown {
  const words = passing[codeOf(error)]
  return words === undefined
    ? error
    : new StoreAway(`The file ${path} cannot be used: ${words}.`, { cause: error })
}

/** Extended codes have the primary one in their lowest byte. */
function codeOf(error: unknown): number {
  if (!(error instanceof Error) || !('errcode' in error)) return -1
  return typeof error.errcode === 'number' ? error.errcode & 0xff : -1
}
