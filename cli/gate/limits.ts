/** What is read of a source of statements at the most: whoever fills it may be hostile. */
import type { Subjects } from '../../reports/bundle/seal/statement.ts'

export const readLimits = {
  statementBytes: 256 * 1024,
  indexBytes: 2 ** 20,
  statements: 10_000,
  /** Of run.json and manifest.json, each. */
  besideBytes: 2 ** 30,
  /** Of a registry, in all. */
  milliseconds: 60_000,
} as const

/** `fits`: whether a run that lies beside the statement is the one that it is about. */
export type Found =
  | { file: string; bytes: Buffer; fits?: (subjects: Subjects) => boolean }
  | { file: string; why: string }
