/** What every provider of the state providers is: a way to bring a state about and, where that changes something, a way back. */
import type { StateId } from '../../../../spec/index.ts'
import type { Provide, Provision } from '../../../config/provided.ts'
import { answeredNames, missingNames, templateNamesIn, fillTemplate } from '../../../config/template.ts'
import type { Clock } from '../../../wire/clock.ts'
import type { Control } from '../control.ts'
import type { NotExercisedReason } from '../../../scenario/scenario.ts'
import { errorMessage } from '../../../../bundle/text.ts'

/** Whether a request that failed can have reached anybody. */
const beforeAnything: readonly unknown[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]

/** No connection was opened, so nothing was done. The cause may be nested. */
export function certainlyUnsent(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false
  const { code } = thrown as { code?: unknown }
  return beforeAnything.includes(code) || certainlyUnsent(thrown.cause)
}

export interface Asking {
  state: StateId
  is: 'enter' | 'leave'
  text: string
  timeoutSeconds: number
}

/** What a run may do to the tenant beside its requests. */
export interface Permits {
  allowExec?: boolean | undefined
  /**
   * Asks a person, and resolves with whether it was done; `stop` fires when the time is up or the run ends.
   * Without it nobody is there.
   */
  ask?: ((asking: Asking, stop: AbortSignal) => Promise<boolean>) | undefined
}

export interface ProviderEntry {
  state: StateId
  /** Values of the scenario: agent, principal and what the state is about. */
  about: Readonly<Record<string, string>>
  /** By which the control protocol knows it, once it is entered. */
  handle?: string
  deps: Permits & { control: Control | null; clock: Clock }
  /** Fires when the run ends early; not there while a state is left. */
  signal?: AbortSignal | undefined
}

/** What the scenario is to speak with while the state holds; the principal by its name. */
export interface Given {
  agentId?: string
  message?: string
  principal?: string
  /** Of a signed-in user, by name. */
  session?: string
}

export interface Entered {
  given: Given
  handle?: string
}

export interface StateProvider<P extends Provide> {
  /** Throws NotEntered. */
  enter(entry: ProviderEntry, provision: Provision<P>): Promise<Entered>
  /** Null if there is nothing to leave. Throws, with a reason, if it could not be left. */
  leaver(provision: Provision<P>): ((entry: ProviderEntry) => Promise<void>) | null
}

/** The state did not come about. `mayHold`: nobody knows, so that it is left all the same. */
export class NotEntered extends Error {
  override name = 'NotEntered'
  readonly reason: NotExercisedReason
  readonly mayHold: boolean
  constructor(because: string, { reason, mayHold }: { reason: NotExercisedReason; mayHold: boolean }) {
    super(because)
    this.reason = reason
    this.mayHold = mayHold
  }
}

export const clearly = { reason: 'state-not-established', mayHold: false } as const
export const unclear = { reason: 'state-not-established', mayHold: true } as const
export const unprovided = { reason: 'state-not-provided', mayHold: false } as const

/** Throws NotEntered for a template that names a value which the scenario has not, or which is not filled in. */
export function mustFill(template: unknown, { about }: ProviderEntry): void {
  const missing = missingNames(template, about)
  if (missing.length > 0)
    throw new NotEntered(
      `its hook wants {{${missing.join('}} and {{')}}}, which this scenario has not`,
      unprovided,
    )
  const odd = oddAnswer(template, { about })
  if (odd !== null) throw new NotEntered(`its hook is not run: ${odd}`, unprovided)
}

export const noLeave: Entered = { given: {} }

/** What a shell, an option parser or an address that it is filled into makes nothing else of. */
const plainValue = /^(?!-|\.+$)[\w.:-]+$/

export function oddAnswer(hook: unknown, { about }: Pick<ProviderEntry, 'about'>): string | null {
  const names = templateNamesIn(hook)
  const odd = answeredNames.find((name) => names.includes(name) && !plainValue.test(about[name] ?? ''))
  if (odd === undefined) return null
  const value = JSON.stringify((about[odd] ?? '').slice(0, 80))
  return `for {{${odd}}} the target answered ${value}, and only letters, digits, "_", ".", ":" and "-", not beginning with "-", are filled into a hook`
}

/** Somebody's word for what was looked at elsewhere: it is shown, and is never a pass. */
export const attest: StateProvider<'attest'> = {
  enter: (_, provision) =>
    Promise.reject(new NotEntered(attestation(provision), { reason: 'attested', mayHold: false })),
  leaver: () => null,
}

export function attestation({ by, on, note }: Provision<'attest'>): string {
  return `attested by ${by} on ${on}: ${note}`
}

export const manual: StateProvider<'manual'> = {
  async enter(entry, provision) {
    const done = await ask('enter', provision.instruction, entry, provision).catch((thrown: unknown) => {
      throw new NotEntered(`the wait for a person ${errorMessage(thrown)}`, unclear)
    })
    if (!done) throw new NotEntered('the person who was asked could not do it', clearly)
    return noLeave
  },
  leaver(provision) {
    const { undo } = provision
    if (undo === undefined) return null
    return async (entry) => {
      const text = fillTemplate(undo, entry.about)
      if (!entry.deps.ask) throw new Error(`nobody is there to be asked: ${text}`)
      const done = await ask('leave', undo, entry, provision).catch((thrown: unknown) => {
        throw new Error(`the wait for a person ${errorMessage(thrown)}: ${text}`)
      })
      if (!done) throw new Error(`the person who was asked could not do it: ${text}`)
    }
  },
}

function ask(
  is: 'enter' | 'leave',
  words: string,
  entry: ProviderEntry,
  { timeoutSeconds }: Provision<'manual'>,
): Promise<boolean> {
  const { state, about, deps } = entry
  const asking = { state, is, text: fillTemplate(words, about), timeoutSeconds }
  return withDeadline(timeoutSeconds, entry, (stop) =>
    Promise.race([deps.ask?.(asking, stop) ?? false, rejectedBy(stop)]),
  )
}

export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

function rejectedBy(stop: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => reject(asError(stop.reason))
    if (stop.aborted) end()
    stop.addEventListener('abort', end, { once: true })
  })
}

/** The control protocol: the target itself is asked, and says whether it is in the state. */
export const control: StateProvider<'control'> = {
  async enter({ state, about, deps }) {
    if (!deps.control) throw new NotEntered('the target declares no `control`', unprovided)
    const answer = await deps.control.enter(state, about).catch((thrown: unknown) => {
      const words = errorMessage(thrown)
      throw new NotEntered(words, certainlyUnsent(thrown) ? clearly : unclear)
    })
    if (!answer.ok) throw new NotEntered(answer.because, answer.offered ? clearly : unprovided)
    const { handle, setting } = answer.prepared
    return { given: setting, handle }
  },
  leaver:
    () =>
    async ({ state, handle, deps }) => {
      if (!deps.control) throw new Error('the target declares no `control`')
      if (handle === undefined) throw new Error('the control protocol never gave a handle to leave it by')
      await deps.control.leave(state, handle)
    },
}

/** Runs `work`, and calls it off when its time is up or the run ends: it has to reject with the reason of its signal. */
export async function withDeadline<T>(
  seconds: number,
  { deps: { clock }, signal }: Pick<ProviderEntry, 'deps' | 'signal'>,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const done = new AbortController()
  const end = (): void => stop.abort(new Error('was broken off, because the run ends'))
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  void clock.sleep(seconds * 1000, done.signal).then(() => {
    if (!done.signal.aborted) stop.abort(new Error(`took longer than ${seconds} s and was broken off`))
  })
  try {
    return await work(stop.signal)
  } finally {
    done.abort()
    signal?.removeEventListener('abort', end)
  }
}
