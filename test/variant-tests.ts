/** The tests that hold variants against the scenarios: whatever a conforming server does, nothing turns red. */
import { describe, expect, test } from 'vitest'
import type { Variant } from '../simulator/modification/modification.ts'
import { answerVariants } from '../simulator/variants/answer.ts'
import { askingVariants } from '../simulator/variants/asking.ts'
import { attemptVariants } from '../simulator/variants/attempts.ts'
import { billingAndUploadVariants } from '../simulator/variants/billing-and-uploads.ts'
import { chatVariants } from '../simulator/variants/chat.ts'
import { deliveryVariants } from '../simulator/variants/delivery.ts'
import { effectVariants } from '../simulator/variants/effects.ts'
import { followUpVariants } from '../simulator/variants/follow-up.ts'
import { lenientVariants } from '../simulator/variants/lenient.ts'
import { olderVariants } from '../simulator/variants/older.ts'
import { operationVariants } from '../simulator/variants/operations.ts'
import { streamVariants } from '../simulator/variants/stream.ts'
import { webhookLogVariants } from '../simulator/variants/webhook-logs.ts'
import { endpointVariants } from '../simulator/variants/webhook-endpoints.ts'
import { webhookManagementVariants } from '../simulator/variants/webhook-management.ts'
import { workflowVariants } from '../simulator/variants/workflow.ts'
import { variants, type VariantId } from '../simulator/index.ts'
import type { ClauseId } from '../spec/index.ts'
import type { Finding, Scenarios } from '../suites/index.ts'
import { roomIds, scenariosOf, type RoomId } from './rooms.ts'
import { line, simulatedRun } from './simulated-run.ts'

interface Part {
  tables: readonly Readonly<Record<string, Variant>>[]
  /** What each of them is told by itself; the other scenarios are run to several at once. */
  rooms: readonly RoomId[]
}

const parts = {
  answers: {
    tables: [answerVariants],
    rooms: ['chat'],
  },
  requests: {
    tables: [lenientVariants],
    rooms: roomIds,
  },
  turns: {
    tables: [chatVariants, streamVariants, workflowVariants, olderVariants],
    rooms: ['chat', 'older'],
  },
  webhooks: {
    tables: [
      webhookManagementVariants,
      endpointVariants,
      webhookLogVariants,
      deliveryVariants,
      attemptVariants,
    ],
    rooms: ['webhooks'],
  },
  operations: {
    tables: [followUpVariants, operationVariants, effectVariants, billingAndUploadVariants, askingVariants],
    rooms: ['operations'],
  },
} as const satisfies Record<string, Part>

const size = 8

/** Neighbours of a table often change the same thing, and the last would be seen alone: they are dealt out. */
function batchesOf(ids: readonly VariantId[]): readonly (readonly VariantId[])[] {
  const count = Math.ceil(ids.length / size)
  return Array.from({ length: count }, (_, at) => ids.filter((_id, of) => of % count === at))
}

const warnsOf = (id: VariantId): readonly ClauseId[] => {
  const row: Variant = variants[id]
  return row.warns ?? []
}

async function redWith(ids: readonly VariantId[], scenarios: Scenarios) {
  const run = await simulatedRun({ variants: ids }, { scenarios })
  const { findings } = run.record
  const clauses = ids.flatMap(warnsOf)
  const isWarned = ({ verdict, subject }: Finding): boolean =>
    verdict === 'warn' && clauses.some((clause) => clause === subject)
  const red = findings.filter((one) => ['fail', 'warn', 'error'].includes(one.verdict) && !isWarned(one))
  const warned = new Set(findings.filter(isWarned).map(({ subject }) => subject))
  return { red: red.map(line), unwarned: clauses.filter((clause) => !warned.has(clause)) }
}

export function holdVariants(named: keyof typeof parts): void {
  const { tables, rooms }: Part = parts[named]
  const ids = tables.flatMap((table) => Object.keys(table) as VariantId[])
  const own = scenariosOf(rooms)
  const others = scenariosOf(roomIds.filter((room) => !rooms.includes(room)))

  describe('an unusual but conforming server stays green', () => {
    test.concurrent.for(ids)('%s', async (id) => {
      expect(await redWith([id], own)).toEqual({ red: [], unwarned: [] })
    })
  })

  if (Object.keys(others).length === 0) return
  describe('what is unusual in one part of a server shows in no other', () => {
    test.concurrent.for(batchesOf(ids).map((batch) => [batch.join(', '), batch] as const))(
      '%s',
      async ([, batch]) => {
        expect((await redWith(batch, others)).red).toEqual([])
      },
    )
  })
}

/** Variants that no part has. */
export function unheld(): readonly string[] {
  const held = Object.values(parts).flatMap(({ tables }) => tables.flatMap((table) => Object.keys(table)))
  return Object.keys(variants).filter((id) => !held.includes(id))
}
