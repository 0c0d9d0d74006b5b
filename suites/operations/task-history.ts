/**
 * Sampled sequences over two tasks: reads, waits, the same request again, reads by another key, whatever order the
 * states come in. Held against the one thing that the contract says of the order: a final state stays.
 */
import * as fc from 'fast-check'
import type { Player } from '../engine/player.ts'
import { scenario, type PrincipalNeed, type Profile } from '../engine/scenario.ts'
import { everyRead, hasKnownState, isFinal, readable, stateShown, staysFinal } from '../judge/task.ts'
import { looks, patience } from './patience.ts'
import { longOperations, mustBegin, readToItsEnd, type Begun } from './task-way.ts'

type Names = 'receipts[]' | 'tasks[]' | 'others[]'
type Teller = Player<Names>
type Command = 'read' | 'read by the other key' | 'wait' | 'execute again'

const weights = { read: 5, 'read by the other key': 2, wait: 1, 'execute again': 1 } as const

const commands = fc.oneof(
  ...Object.entries(weights).map(([command, weight]) => ({
    weight,
    arbitrary: fc.constant(command as Command),
  })),
)

const steps: Readonly<Record<Command, (t: Teller, task: Begun, other: string) => Promise<unknown>>> = {
  read: (t, { path }) => t.readMore('tasks', path),
  'read by the other key': (t, { path }, other) =>
    other === 'self' ? t.readMore('tasks', path) : t.readMore('others', path, { as: other }),
  wait: (t) => t.wait(500 * t.timeScale),
  'execute again': (t, { operation, request }) =>
    request.key === undefined ? t.wait(0) : t.executeMore('receipts', operation, request),
}

/** After whatever is drawn the first task is read twice more. */
async function walk(t: Teller, tasks: readonly Begun[], length: number, other: string): Promise<void> {
  const drawn = fc.sample(fc.tuple(commands, fc.nat(tasks.length - 1)), {
    seed: t.pick(2 ** 31),
    numRuns: length,
  })
  for (const [command, slot] of drawn) {
    const task = tasks[slot]
    if (task) await steps[command](t, task, other)
  }
  for (const { path } of tasks.slice(0, 1)) for (let i = 0; i < 2; i++) await t.readMore('tasks', path)
}

const history = (length: number, profile: Profile, other?: PrincipalNeed) =>
  scenario({
    title: `in ${2 * length} steps over two tasks${other ? ' by two keys' : ''} no final state is left again`,
    exchanges: ['receipts[]', 'tasks[]', 'others[]', 'last'],
    needs: {
      operation: { receipt: 'accepted' },
      ...(other ? { others: { other }, extra: true } : {}),
    },
    cost: { requests: 2 * length + 2 * looks.long + 12, turns: 0 },
    profile,
    async play(t) {
      const by = other ? 'other' : 'self'
      const [first, second = first] = longOperations(t)
      const one = await mustBegin(t, 'receipts', first ?? t.operation)
      await readToItsEnd(t, 'tasks', one.path, patience.long)
      await walk(t, [one], length, by)
      const two = await mustBegin(t, 'receipts', second ?? t.operation)
      const read = await t.readMore('tasks', two.path)
      if (!isFinal(stateShown(read, t.dialect)))
        await t.enter('task.finished', { taskId: two.taskId, operationId: two.operation.id })
      await readToItsEnd(t, 'tasks', two.path, patience.short)
      await walk(t, [two, one], length, by)
      await t.read('last', two.path)
    },
    judge: {
      'TASK-FINAL': (story, { dialect }) => {
        // Who has another key sees the same task, where that key sees it at all.
        const others = story.tasks.length > 0 && other ? story.others : []
        return staysFinal([...story.tasks, ...others], dialect)
      },
      'TASK-READ': ({ tasks }) => everyRead(tasks, readable),
      'TASK-STATE-KNOWN': ({ tasks }, { dialect }) =>
        everyRead(tasks, (read) => hasKnownState(read, dialect)),
    },
  })

export const drawn = history(12, 'standard')
export const long = history(40, 'exhaustive')
export const secondKey = history(8, 'standard', { kind: 'second-of-account' })
