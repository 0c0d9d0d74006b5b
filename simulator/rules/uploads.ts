/** What a fault may get wrong about uploads, or the contract leaves open, as part of the rules of a tenant. */
import type { FileFacts, KnowledgeKind } from '../tenant/operations/account-data.ts'
import type { Call } from '../edge/reply.ts'
import type { Operation, RunReceipt } from '../tenant/operations/operation.ts'

export type UploadPhase = 'prepare' | 'finalize'

export interface UploadRules {
  /** Largest file, in bytes; in base64 it has to fit into a body. */
  uploadLimitBytes: number
  /** What is wrong with a file as it is announced; null lets it pass. */
  fileProblem(kind: KnowledgeKind, file: FileFacts, limit: number): string | null
  /** What is wrong with the bytes of a file that was announced; null lets them pass. */
  bytesProblem(kind: KnowledgeKind, file: FileFacts, bytes: Uint8Array): string | null
  /** Keys with the same result are one key. `idOfKey` is what the other writes make of it. */
  uploadRunId(step: UploadPhase, idOfKey: string, call: Call): string
  /** One route takes the file with both keys. */
  uploadsAtOnce: boolean
  /** A prepared upload that is not finalized by then has lapsed, in ms. */
  preparedLifeMs: number
  /** Whether such an upload waits for the owner before it goes on. */
  renewalWaits(operation: Operation): boolean
  /** What it answers meanwhile. */
  renewalReceipt(approvalId: string): RunReceipt
}
