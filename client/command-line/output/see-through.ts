/** How a receipt, an approval or a task is seen through, and what of it the exit code says. */
import { type DiscreetIo, printRecord } from './write.ts'
import { TaskNotFinished, type TaskRecord } from '../../errors.ts'
import type { Receipt } from '../../operations/receipt.ts'
import type { ApprovalRecord } from '../../operations/tasks.ts'
import type { ServiceClient } from '../../service-client.ts'

/** What the process says when it ends. Stopped by Ctrl-C it says 130, by SIGTERM 143, as shells have it. */
export const clientExitCodes = {
  done: 0,
  /** The service refused, or what it was asked to do failed. */
  failed: 1,
  /** The command line, or a file that it rests on, is wrong; nothing was sent. */
  usage: 2,
  /** Held for the owner's approval, or a task that is still going on. */
  unfinished: 3,
  /** No whole answer: the service cannot be reached, or broke off. */
  unreachable: 4,
} as const

export const clientExitCodeHelp = `
Exit codes:
  0    done
  1    the service refused, or the work failed
  2    wrong usage; nothing was sent
  3    not finished: held for approval, or still running
  4    no whole answer: the service cannot be reached, or broke off
  130  stopped by Ctrl-C (143: by SIGTERM)`

export interface Outcome {
  code: number
  words: string
}

export function outcomeOfTask({ id, state, isFinal }: TaskRecord): Outcome {
  if (state === 'completed') return { code: clientExitCodes.done, words: `task ${id} is completed` }
  if (isFinal)
    return {
      code: clientExitCodes.failed,
      words: `task ${id} is ${state}: what it says of that is on stdout`,
    }
  const waits = state === 'input_required' ? ': the owner has to give it what it asks for' : ''
  return {
    code: clientExitCodes.unfinished,
    words: `task ${id} is ${state || 'in an unknown state'}${waits}`,
  }
}

/** `program`: how this is called again. Only a receipt, or a rejection, is an end of the work: without one it counts as held, whatever else is there. */
export function outcomeOfApproval(
  { id, state, decision, receiptStatus }: ApprovalRecord,
  program = 'service-client',
): Outcome {
  if (receiptStatus === 'completed')
    return { code: clientExitCodes.done, words: `approval ${id}: the work was done` }
  if (receiptStatus === 'failed' || decision === 'rejected')
    return {
      code: clientExitCodes.failed,
      words: `approval ${id}: nothing came of it; it says why on stdout`,
    }
  return {
    code: clientExitCodes.unfinished,
    words: `approval ${id} is ${state ?? 'in an unknown state'}; nothing in it says that the work is done, ask again with \`${program} approvals ${id}\``,
  }
}

interface Options {
  /** Seconds for a task in all. */
  wait?: number
  json?: true
}

export async function seeThrough(
  send: () => Promise<Receipt>,
  client: ServiceClient,
  options: Options,
  io: DiscreetIo,
): Promise<number> {
  try {
    const receipt = await send()
    const { record, code } = await followReceipt(receipt, client, options.wait, io).catch(
      (error: unknown) => {
        // What it leads to is named in it: without it nobody could go on from here.
        printRecord(receipt.body, options, io)
        throw error
      },
    )
    printRecord(record, options, io)
    return code
  } finally {
    if (io.stopped.aborted)
      io.err('stopped: the work may go on. Run the same command with the same keys to see the result.\n')
  }
}

interface Followed {
  /** The receipt as it came, with the task or the approval beside it. */
  record: object
  code: number
}

/** `waitS`: seconds for a task in all; absent: until it ends. */
async function followReceipt(
  receipt: Receipt,
  client: ServiceClient,
  waitS: number | undefined,
  io: DiscreetIo,
): Promise<Followed> {
  const { body } = receipt
  if (receipt.status === 'completed') return { record: body, code: clientExitCodes.done }
  if (receipt.status === 'pending_approval') return held(receipt, client, io)
  if (receipt.status === 'accepted') return going(receipt, client, waitS, io)
  const { code, resolution } = receipt.error
  io.err(`error: ${code}: ${typeof resolution === 'string' ? resolution : 'the receipt says more.'}\n`)
  if (receipt.approvalId !== null)
    io.err(`The owner has to decide first: \`${io.speech.program} approvals ${receipt.approvalId}\`.\n`)
  return { record: body, code: clientExitCodes.failed }
}

async function held(
  { body, approvalId }: Receipt & { status: 'pending_approval' },
  client: ServiceClient,
  io: DiscreetIo,
): Promise<Followed> {
  if (approvalId === null) {
    io.err(
      'Held for the approval of the owner; the receipt names it in no place that is known: --dialect FILE can give it.\n',
    )
    return { record: body, code: clientExitCodes.unfinished }
  }
  io.err(`Held for the approval of the owner: ${approvalId}.\n`)
  const approval = await client.readApproval(approvalId, { signal: io.stopped })
  const { code, words } = outcomeOfApproval(approval, io.speech.program)
  io.err(`${words}\n`)
  return { record: { ...body, approval: approval.body }, code }
}

async function going(
  { body, taskId }: Receipt & { status: 'accepted' },
  client: ServiceClient,
  waitS: number | undefined,
  io: DiscreetIo,
): Promise<Followed> {
  if (taskId === null) {
    io.err(
      'Accepted, and not finished; the receipt names its task in no place that is known: --dialect FILE can give it.\n',
    )
    return { record: body, code: clientExitCodes.unfinished }
  }
  io.err(`Accepted as task ${taskId}.\n`)
  const task = await ended(taskId, client, waitS, io)
  return { record: { ...body, task: task.body }, code: outcomeOfTask(task).code }
}

/** Prints each state once. */
async function ended(
  id: string,
  client: ServiceClient,
  waitS: number | undefined,
  io: DiscreetIo,
): Promise<TaskRecord> {
  let printed = ''
  const onRead = (task: TaskRecord): void => {
    if (task.state !== printed) io.err(`${outcomeOfTask(task).words}\n`)
    printed = task.state
  }
  try {
    const wait = waitS === undefined ? {} : { timeoutMs: waitS * 1000 }
    return await client.waitForTask(id, { signal: io.stopped, onRead, ...wait })
  } catch (error) {
    if (!(error instanceof TaskNotFinished)) throw error
    io.err(`Waited ${waitS} s; it goes on, ask again with \`${io.speech.program} tasks ${id}\`.\n`)
    return error.task
  }
}
