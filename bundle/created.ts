/**
 * The ledger of what a run creates on a target. A line is written before each creation and one after it is gone,
 * so that what a killed run left is known. Lines hold no secret.
 */
import type { StateId } from '../spec/index.ts'

export type Created = CreatedState | CreatedWebhook

/** A webhook that a target made, or was asked to make; its secret is not kept here. */
export interface CreatedWebhook {
  id: string
  what: 'webhook'
  agent: string
  /** Its address, by which it is found where the answer to its creation was lost. */
  endpoint: string
  /** Absent until the creation is answered. */
  webhook?: string
}

/** A state that was entered, or was about to be. */
export interface CreatedState {
  /** Unique within a run. */
  id: string
  what: 'state'
  state: StateId
  by: string
  /** What the scenario passed to the provider: agent, principal, key. */
  about: Readonly<Record<string, string>>
  /** By which the control protocol knows it; not known before the state was entered. */
  handle?: string
}

export function titleOf(entry: Created): string {
  return entry.what === 'state' ? entry.state : `the webhook ${entry.webhook ?? `to ${entry.endpoint}`}`
}

export function createdLine(entry: Created): string {
  return `${JSON.stringify({ created: entry })}\n`
}

export function goneLine(id: string): string {
  return `${JSON.stringify({ gone: id })}\n`
}

/** What was created and is not known to be gone, in the order created. The last line may be torn. */
export function leftOvers(lines: readonly string[]): readonly Created[] {
  const open = new Map<string, Created>()
  for (const line of lines) {
    const { created, gone } = parsed(line)
    if (created) open.set(created.id, created)
    if (gone !== undefined) open.delete(gone)
  }
  return [...open.values()]
}

/** Only our own lines are read; one that was cut off in the writing is taken for not written. */
function parsed(line: string): { created?: Created; gone?: string } {
  try {
    return JSON.parse(line) as { created?: Created; gone?: string }
  } catch {
    return {}
  }
}
