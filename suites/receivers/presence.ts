/** Whether a receiver is there, and after which delivery its process ended. */
import type { ScenarioRun } from '../../bundle/record.ts'
import type { Clock } from '../wire/clock.ts'
import type { Exchange } from '../wire/exchange.ts'
import { isDropped } from './answers.ts'
import type { Subject } from './subject.ts'

/** A delivery that can be posted again. */
export interface Sendable {
  name: string
  scenario: string
  isForged: boolean
  /** Of the exchange that shows it. */
  exchange?: number
  /** `nth`: as part of no scenario, under an id that all have which had the same one, and are posted with this number. */
  post(nth?: number): Promise<Exchange>
}

/** Between two tries of a receiver that does not answer. */
const retryMs = 250
/** Starts that fail before anything answers. */
const mostStillborn = 3
const isBadEnd = (line: string): boolean => !line.includes(' ended with 0')
/** Of those that were answered before its process ended. */
const mostSuspects = 3

const isUnreached = ({ failure }: Exchange): boolean => failure?.kind === 'refused'
const isGone = (exchange: Exchange): boolean => isUnreached(exchange) || isDropped(exchange)

const wordsOf = ({ name, scenario, isForged }: Sendable): string =>
  scenario === 'preflight'
    ? 'a genuine delivery'
    : `${isForged ? 'forged ' : ''}delivery \`${name}\` of ${scenario}`

interface Fatal {
  delivery: Sendable
  line: string
  /** Null if it did not end again when this was sent again. */
  when: 'before' | 'after' | null
  isNoted?: true
}

export class Presence {
  readonly fatal: Fatal[] = []
  #lostAt: Sendable | null = null
  #wasAwaited = false
  /** The newest first. */
  #answered: readonly Sendable[] = []
  /** How often its process had ended before the last was answered. */
  #endsBefore = 0
  /** A command that ends well by the first answer only starts a receiver: its ends are none of the receiver. */
  #isDetached = false
  readonly #subject: Pick<Subject, 'restartMs' | 'ends'>
  readonly #wait: () => Promise<void>
  readonly #isOver: (until: number) => boolean
  readonly #now: () => number

  /** `signal` ends waits. */
  constructor(subject: Pick<Subject, 'restartMs' | 'ends'>, clock: Clock, signal?: AbortSignal) {
    this.#subject = subject
    this.#now = () => clock.now()
    this.#wait = () => clock.sleep(retryMs, signal)
    this.#isOver = (until) => clock.now() >= until || signal?.aborted === true
  }

  /** The last delivery that was answered, which it received, and the first that was not, which it may not have. */
  lossWords(): string {
    const [last] = this.#answered
    const after = last ? ` after ${wordsOf(last)}` : ''
    return `the receiver stopped answering${after}${this.#lostAt ? `: ${wordsOf(this.#lostAt)} got no response` : ''}`
  }

  async isThere(genuine: () => Sendable): Promise<boolean> {
    return this.#lostAt === null || !isGone(await this.comesBack(genuine()))
  }

  /**
   * Posts it until something answers, or it alone ends the process; resolves with the last exchange. `drops`: a dropped
   * connection is an answer.
   */
  async comesBack(delivery: Sendable, options: { withinMs?: number; nth?: number; drops?: boolean } = {}) {
    const { withinMs, nth, drops } = options
    const until = this.#now() + (withinMs ?? (this.#wasAwaited ? 0 : this.#subject.restartMs))
    for (;;) {
      const before = this.#ends().length
      const exchange = await this.#post(delivery, nth)
      if (this.#subject.ends && !isUnreached(exchange)) await this.#wait()
      this.#isDetached ||= this.#answered.length === 1 && !this.#ends().every(isBadEnd)
      const line = isUnreached(exchange) ? undefined : this.#ends()[before]
      if (line !== undefined) {
        this.#lostAt = delivery
        this.fatal.push({ delivery, line, when: isDropped(exchange) ? 'before' : 'after' })
      }
      const isStillborn = this.#answered.length === 0 && this.#ends().filter(isBadEnd).length >= mostStillborn
      const isAnswer = !isGone(exchange) || line !== undefined || (drops && isDropped(exchange))
      if (isAnswer || isStillborn || this.#isOver(until)) {
        this.#wasAwaited = !isAnswer
        return exchange
      }
      await this.#wait()
    }
  }

  /**
   * What a connection was refused for is posted again. A process that was started here, and ended, may have done so
   * because of what it had answered before: if this one alone does not end it, each of the last is posted again, and
   * this one after it, which may be its duplicate.
   */
  async post(delivery: Sendable): Promise<Exchange> {
    const [suspects, before, known] = [this.#answered, this.#endsBefore, this.fatal.length]
    const first = await this.#post(delivery)
    if (!isGone(first) || this.#wasAwaited) return first
    const isOurs = this.#subject.ends !== undefined && !this.#isDetached
    if (isOurs) await this.#wait()
    // A process that goes on has dropped the connection as its answer.
    if (isDropped(first) && this.#ends().length === before) {
      if (isOurs) this.#lostAt = null
      return first
    }
    const exchange = await this.comesBack(delivery, { drops: !isOurs })
    const line = this.#ends()[before]
    if (line === undefined) return exchange
    const isFound = () => this.fatal.length > known
    for (const [at, suspect] of suspects.entries())
      for (const one of [suspect, delivery])
        if (!isFound()) await this.comesBack(one, { nth: known * mostSuspects + at })
    if (!isFound()) this.fatal.push({ delivery, line, when: null })
    return exchange
  }

  #ends(): readonly string[] {
    return this.#isDetached ? [] : (this.#subject.ends?.() ?? [])
  }

  async together(deliveries: readonly Sendable[], post: () => Promise<readonly Exchange[]>) {
    const before = this.#ends().length
    const sent = await post()
    for (const [at, delivery] of deliveries.entries()) if (sent[at]) this.#saw(delivery, sent[at], before)
    return sent
  }

  async #post(delivery: Sendable, nth?: number): Promise<Exchange> {
    const before = this.#ends().length
    return this.#saw(delivery, await delivery.post(nth), before)
  }

  #saw(delivery: Sendable, exchange: Exchange, before: number): Exchange {
    delivery.exchange ??= exchange.id
    if (isGone(exchange)) {
      this.#lostAt ??= delivery
      return exchange
    }
    if (exchange.scenario === delivery.scenario) delivery.exchange = exchange.id
    // What ended well while everything was answered only starts a receiver.
    const isAnswering = this.#lostAt === null && this.#answered.length > 0
    this.#isDetached ||= isAnswering && !this.#ends().slice(this.#endsBefore, before).every(isBadEnd)
    this.#endsBefore = before
    this.#lostAt = null
    this.#wasAwaited = false
    this.#answered = [delivery, ...this.#answered].slice(0, mostSuspects)
    return exchange
  }
}

/** The first delivery after which its process ended: of those of this scenario or, in the last, of all others. */
export function endNotes(fatal: readonly Fatal[], scenario: string, isLast = false): ScenarioRun['notes'] {
  const own = ({ delivery }: Fatal) => isLast || (delivery.isForged && delivery.scenario === scenario)
  const found = fatal.filter((one) => !one.isNoted && own(one))
  const one = found.find(({ delivery }) => delivery.scenario !== 'preflight') ?? found[0]
  if (one === undefined) return {}
  for (const noted of found) noted.isNoted = true
  const more = found.length > 1 ? ` and ${found.length - 1} more` : ''
  const { delivery, line, when } = one
  const once = when === null ? '; not again, when it was sent again' : ''
  const role = when === null ? 'sent before its end' : `ended it ${when} its response`
  return {
    endedAfter: `${wordsOf(delivery)}${more} (${line}${once})`,
    fatal: delivery.exchange ?? 0,
    role: `${delivery.isForged ? 'forged, ' : ''}${role}`,
  }
}
