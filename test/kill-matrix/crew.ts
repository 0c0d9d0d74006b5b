/** Processes that tell faults side by side. A run waits more than it works, so each of them tells several at once. */
import { fork, type ChildProcess } from 'node:child_process'
import type { Job, Red } from './telling.ts'
import type { Answer, Question } from './worker.ts'

const processes = 2
const atOnce = 6

export interface Crew {
  /** Rejects with what a run threw, or when a process ends. */
  tell(job: Job): Promise<readonly Red[]>
  dismiss(): void
}

interface Asked {
  resolve(red: readonly Red[]): void
  reject(error: Error): void
}

export function hireCrew(): Crew {
  const waiting: (Question & Asked)[] = []
  const members = Array.from({ length: processes }, () => hire(waiting))
  let count = 0
  return {
    tell: (job) =>
      new Promise((resolve, reject) => {
        waiting.push({ number: ++count, job, resolve, reject })
        for (const member of members) member.next()
      }),
    dismiss: () => members.forEach(({ child }) => child.disconnect()),
  }
}

function hire(waiting: (Question & Asked)[]): { child: ChildProcess; next: () => void } {
  const child = fork(new URL('worker.ts', import.meta.url))
  const asked = new Map<number, Asked>()
  const next = (): void => {
    while (asked.size < atOnce) {
      const question = waiting.shift()
      if (!question) return
      asked.set(question.number, question)
      child.send({ number: question.number, job: question.job })
    }
  }
  child.on('message', (answer: Answer) => {
    const one = asked.get(answer.number)
    asked.delete(answer.number)
    if ('red' in answer) one?.resolve(answer.red)
    else one?.reject(new Error(answer.threw))
    next()
  })
  child.on('exit', (code) => {
    for (const one of asked.values()) one.reject(new Error(`a process of the crew ended with code ${code}`))
  })
  return { child, next }
}
