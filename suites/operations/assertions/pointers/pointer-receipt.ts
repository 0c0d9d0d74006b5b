/** Finds the ids of tasks and approvals in receipts and uploads, as declared or by a search. */
import type { Dialect, Pointer } from '../../../config/dialect.ts'
import { type Exchange, at, type Json, json } from '../../../wire/exchange.ts'
import { inside } from '../../../assertions/pointer.ts'

export function taskIdOf(receipt: Exchange, { receipt: declared }: Dialect): string | null {
  return idOf(receipt, 'task', declared?.taskId)
}

export function approvalIdOf(receipt: Exchange, { receipt: declared }: Dialect): string | null {
  return idOf(receipt, 'approval', declared?.approvalId)
}

export function uploadIdOf(answer: Exchange, declared: Pointer | undefined): string | null {
  return idOf(answer, 'upload', declared)
}

/** Only the declared pointer counts. Otherwise the nearest to the top: `task_id`, `taskId`, `task: "…"`, `task.id`. */
function idOf(exchange: Exchange, what: string, declared: Pointer | undefined): string | null {
  const body = json(exchange)
  if (!body.ok) return null
  if (declared !== undefined) return idFrom(at(body.value, declared))
  for (const { value, name, parent } of inside(body.value)) {
    const isNamed = [what, `${what}id`].includes(plain(name))
    const isInside = plain(parent) === what && plain(name) === 'id'
    const id = isNamed || isInside ? idFrom(value) : null
    if (id !== null) return id
  }
  return null
}

function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase()
}

function idFrom(value: Json | undefined): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}
