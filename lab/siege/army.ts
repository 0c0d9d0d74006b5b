/** Starts and stops the process of the attackers. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { AttackOrder, AttackReport } from './attackers.ts'

export interface Army extends AsyncDisposable {
  begin(): void
  /** Ends every attack; returns what all of them did so far. */
  end(): Promise<AttackReport>
}

const program = fileURLToPath(new URL('attackers.ts', import.meta.url))

/** `only`: attacks whose name has this part. */
export function startArmy(seed: string, only: string, urls: readonly string[]): Army {
  const child = fork(program, [seed, only, ...urls], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const gone = once(child, 'exit')
  const order = (word: AttackOrder): void => void child.send(word)
  return {
    begin: () => order('begin'),
    end: async () => {
      const report = once(child, 'message')
      order('end')
      const ended = gone.then(() => {
        throw new Error('the process of the attackers ended by itself')
      })
      return ((await Promise.race([report, ended])) as [AttackReport])[0]
    },
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect()
      await gone
    },
  }
}
