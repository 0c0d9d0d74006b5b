/** A program of the operator. No shell reads its arguments, and it sees no environment but what is declared. */
import type { Provision } from '../../../config/provided.ts'
import { fillTemplate } from '../../../config/template.ts'
import { isObject } from '../../../../spec/json.ts'
import { blotted } from './blotted.ts'
import { withDeadline } from './deadline.ts'
import { runProgram } from './program.ts'
import {
  clearly,
  NotEntered,
  noLeave,
  oddAnswer,
  unclear,
  type Given,
  type StateProvider,
  type ProviderEntry,
  mustFill,
} from './provider.ts'
import { errorMessage } from '../../../../reports/bundle/text.ts'

type Exec = Provision<'exec'>

export const exec: StateProvider<'exec'> = {
  async enter(entry, provision) {
    mustFill(provision.enter, entry)
    const outcome = await run(provision.enter, entry, provision)
    if (outcome.is !== 'done')
      throw new NotEntered(outcome.because, outcome.is === 'ended' ? clearly : unclear)
    const given = givenBy(outcome.stdout)
    if (typeof given !== 'string') return { ...noLeave, given }
    throw new NotEntered(`its hook (${provision.enter[0]}) ${blotted(given, provision.secrets)}`, unclear)
  },
  leaver(provision) {
    const { leave } = provision
    if (!leave) return null
    return async (entry) => {
      const odd = oddAnswer(leave, entry)
      if (odd !== null) throw new Error(`its hook is not run: ${odd}`)
      const outcome = await run(leave, entry, provision)
      if (outcome.is !== 'done') throw new Error(outcome.because)
    }
  },
}

type Outcome =
  | { is: 'done'; stdout: string }
  | { is: 'ended'; because: string }
  /** It was broken off, and may have done it or not. */
  | { is: 'broken off'; because: string }

async function run(argv: readonly string[], entry: ProviderEntry, provision: Exec): Promise<Outcome> {
  const { environment, folder, secrets, timeoutSeconds } = provision
  const command = fillTemplate(argv, entry.about)
  const name = `its hook (${command[0]})`
  if (!entry.deps.allowExec) return { is: 'ended', because: `${name} is not run without --allow-exec` }
  const deadline = { clock: entry.deps.clock, seconds: timeoutSeconds, signal: entry.signal }
  try {
    const { code, stdout, stderr } = await withDeadline(deadline, (stop) =>
      runProgram(command, { folder, environment, stop }),
    )
    if (code === 0) return { is: 'done', stdout }
    const said = stderr.trim() === '' ? 'and said nothing on stderr' : `: ${blotted(stderr.trim(), secrets)}`
    return { is: 'ended', because: `${name} ended with ${code}${said}` }
  } catch (thrown) {
    const words = blotted(errorMessage(thrown), secrets)
    const unstarted = thrown instanceof Error && 'syscall' in thrown
    return unstarted
      ? { is: 'ended', because: `${name} could not be started: ${words}` }
      : { is: 'broken off', because: `${name} ${words}` }
  }
}

const members: readonly string[] = ['agentId', 'message', 'principal']

/** The setting that a program printed, or words for what is wrong with what it printed. */
function givenBy(stdout: string): Given | string {
  const text = stdout.trim()
  if (text === '') return {}
  const form = `print {"agentId", "message", "principal"} with what the scenario is to use, or nothing`
  const value = parsed(text)
  if (!isObject(value)) return `printed what is no JSON object: ${text.slice(0, 120)}; ${form}`
  const wrong = Object.entries(value).find(
    ([name, one]) => !members.includes(name) || typeof one !== 'string',
  )
  return wrong ? `printed ${JSON.stringify(Object.fromEntries([wrong])).slice(0, 120)}; ${form}` : value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
