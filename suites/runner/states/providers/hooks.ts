/** The hooks of the operator: a request, such as one to an admin API, or a program. */
import { request } from 'undici'
import type { Provision } from '../../../config/provided.ts'
import { fillTemplate } from '../../../config/template.ts'
import {
  asError,
  withDeadline,
  clearly,
  NotEntered,
  oddAnswer,
  unclear,
  type StateProvider,
  type ProviderEntry,
  mustFill,
  type Given,
  certainlyUnsent,
} from './provider.ts'
import { errorMessage } from '../../../../bundle/text.ts'
import { isObject } from '../../../../spec/json.ts'
import { parseJson } from '../../../../bundle/json.ts'
import { createRedactor } from '../../../../bundle/redaction/redaction.ts'
import { token } from '../../../../bundle/redaction/search.ts'
import { spawn, spawnSync } from 'node:child_process'
import { realClock } from '../../../wire/clock.ts'

interface Ended {
  /** An exit code, or the name of the signal that ended it, in words. */
  code: 0 | string
  stdout: string
  /** The last of it. */
  stderr: string
}

interface Setting {
  folder: string
  environment: Readonly<Record<string, string>>
  stop: AbortSignal
}

/** How long its output may come after it, where a process that left its group holds the pipes. */
const pipesMs = 500

const most = { stdout: 64_000, stderr: 1_000 }

/**
 * Rejects with the reason of `stop` when that fires first, and with the system's error when it cannot be started.
 * Resolves when the program ended; what it left running in its group is ended too.
 */
export function runProgram(argv: readonly string[], { folder, environment, stop }: Setting): Promise<Ended> {
  const [file = '', ...args] = argv
  return new Promise((resolve, reject) => {
    if (stop.aborted) return reject(asError(stop.reason))
    // A group of its own, so that a timeout ends the children of a script too.
    const child = spawn(file, args, {
      cwd: folder,
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const kept = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      kept.stdout = (kept.stdout + text).slice(0, most.stdout)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      kept.stderr = (kept.stderr + text).slice(-most.stderr)
    })
    const endGroup = (): void => killGroup(child.pid)
    const end = (): void => {
      endGroup()
      reject(asError(stop.reason))
    }
    stop.addEventListener('abort', end, { once: true })
    child.once('error', reject)
    // What stays behind may hold the pipes open: the end of the program counts, not that of its output.
    child.once('exit', (code, signal) => {
      endGroup()
      const settle = (): void => {
        stop.removeEventListener('abort', end)
        for (const pipe of [child.stdout, child.stderr]) pipe.destroy()
        resolve({ ...kept, code: code === 0 ? 0 : code === null ? `signal ${signal}` : `exit code ${code}` })
      }
      const closed = new Promise((close) => child.once('close', close))
      void Promise.race([closed, realClock().sleep(pipesMs)]).then(settle)
    })
  })
}

/** Ends a process that was started detached, and all that it started. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' })
    return
  }
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

/** Shorter values could be ordinary text. */
const shortest = 4

function blotted(text: string, secrets: readonly string[]): string {
  const long = secrets.filter(({ length }) => length >= shortest)
  // Words are compared from run to run, and a mark is good for one.
  const redacted = createRedactor(long.map((value) => ({ name: 'secret', value }))).text(text)
  return redacted.replaceAll(new RegExp(token, 'g'), '[[$1]]')
}

/** What came of a hook. `mayHold`: it may have done its work all the same. */
type Outcome = { done: true; given: Given } | { done: false; because: string; mayHold: boolean }
const failed = (because: string, mayHold = false): Outcome => ({ done: false, because, mayHold })

function hooked<P extends 'http' | 'exec'>(
  run: (is: 'enter' | 'leave', entry: ProviderEntry, provision: Provision<P>) => Promise<Outcome>,
): StateProvider<P> {
  return {
    async enter(entry, provision) {
      mustFill(provision.enter, entry)
      const outcome = await run('enter', entry, provision).catch((thrown: unknown) =>
        failed(blotted(errorMessage(thrown), provision.secrets)),
      )
      if (outcome.done) return { given: outcome.given }
      throw new NotEntered(outcome.because, outcome.mayHold ? unclear : clearly)
    },
    leaver(provision) {
      const { leave } = provision
      if (leave === undefined) return null
      return async (entry) => {
        const odd = oddAnswer(leave, entry)
        if (odd !== null) throw new Error(`its hook is not run: ${odd}`)
        const outcome = await run('leave', entry, provision)
        if (!outcome.done) throw new Error(outcome.because)
      }
    },
  }
}

export const http = hooked<'http'>(async (is, entry, provision) => {
  const { timeoutSeconds, secrets } = provision
  const hook = provision[is] ?? provision.enter
  const url = fillTemplate(hook.url, entry.about, encodeURIComponent)
  const { headers, json } = fillTemplate({ headers: hook.headers, json: hook.json }, entry.about)
  const type = json === undefined ? [] : [['content-type', 'application/json'] as const]
  const name = `its hook (${hook.method} to ${new URL(url).host})`
  try {
    return await withDeadline(timeoutSeconds, entry, async (signal): Promise<Outcome> => {
      const answer = await request(url, {
        method: hook.method,
        headers: [...type, ...headers].flat(),
        body: json === undefined ? null : JSON.stringify(json),
        signal,
      })
      const text = await answer.body.text()
      if (hook.expect.includes(answer.statusCode)) return { done: true, given: {} }
      const said = text === '' ? '' : `: ${blotted(text, secrets).slice(0, 200)}`
      return failed(`${name} was answered ${answer.statusCode}${said}; expected ${hook.expect.join(' or ')}`)
    })
  } catch (thrown) {
    const words = errorMessage(thrown)
    const because = /^(took|was)/.test(words) ? words : `was not answered: ${words}`
    return failed(blotted(`${name} ${because}`, secrets), !certainlyUnsent(thrown))
  }
})

/** No shell reads its arguments, and it sees no environment but what is declared. */
export const exec = hooked<'exec'>(async (is, entry, provision) => {
  const { secrets, timeoutSeconds } = provision
  const command = fillTemplate(provision[is] ?? provision.enter, entry.about)
  const name = `its hook (${command[0]})`
  if (!entry.deps.allowExec) return failed(`${name} is not run without --allow-exec`)
  try {
    const { code, stdout, stderr } = await withDeadline(timeoutSeconds, entry, (stop) =>
      runProgram(command, { ...provision, stop }),
    )
    if (code !== 0) {
      const said =
        stderr.trim() === '' ? 'and said nothing on stderr' : `: ${blotted(stderr.trim(), secrets)}`
      return failed(`${name} ended with ${code}${said}`)
    }
    const given = is === 'enter' ? givenBy(stdout) : {}
    if (typeof given !== 'string') return { done: true, given }
    return failed(`${name} ${blotted(given, secrets)}`, true)
  } catch (thrown) {
    const words = blotted(errorMessage(thrown), secrets)
    const unstarted = thrown instanceof Error && 'syscall' in thrown
    return unstarted ? failed(`${name} could not be started: ${words}`) : failed(`${name} ${words}`, true)
  }
})

const members: readonly string[] = ['agentId', 'message', 'principal']

function givenBy(stdout: string): Given | string {
  const text = stdout.trim()
  if (text === '') return {}
  const form = `print {"agentId", "message", "principal"} with what the scenario is to use, or nothing`
  const read = parseJson(text)
  if (!read.ok || !isObject(read.value))
    return `printed what is no JSON object: ${text.slice(0, 120)}; ${form}`
  const wrong = Object.entries(read.value).find(
    ([name, one]) => !members.includes(name) || typeof one !== 'string',
  )
  return wrong ? `printed ${JSON.stringify(Object.fromEntries([wrong])).slice(0, 120)}; ${form}` : read.value
}
