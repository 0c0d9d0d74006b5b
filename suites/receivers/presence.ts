/** Whether a receiver is there, and after which delivery its process ended. */
import type { ScenarioRun } from '../../bundle/record.ts'
import type { Clock } from '../wire/clock.ts'
import type { Exchange } from '../wire/exchange.ts'
import { accepted, isDropped } from './answers.ts'
import type { Subject } from './subject.ts'

/** A delivery that can be posted again. */
export interface Sendable {
  name: string
  scenario: string
  isForged: boolean
  /** Of the exchange that shows it. */
  exchange?: number
  /** Default: as part of its scenario. */
  post(as?: 'preflight'): Promise<Exchange>
}

/** Between two tries of a receiver that does not answer. */
const retryMs = 250
/** Starts that fail before anything answers. */
const mostStillborn = 3
const isBadEnd = (line: string): boolean => !line.includes(' ended with 0')
/** Of those that were answered before its process ended. */
const mostSuspects = 3

const isUnreached = (exchange: Exchange): boolean =>
  exchange.failure?.kind === 'refused' && !isDropped(exchange)
const isGone = (exchange: Exchange): boolean => isUnreached(exchange) || isDropped(exchange)

const wordsOf = ({ name, scenario, isForged }: Sendable): string =>
  scenario === 'preflight'
    ? 'a genuine delivery'
    : `${isForged ? 'forged ' : ''}delivery \`${name}\` of ${scenario}`

interface Fatal {
  delivery: Sendable
  line: string
  isNoted?: true
}

export class Presence {
  readonly fatal: Fatal[] = []
  #lostAfter: Sendable | null = null
  #wasAwaited = false
  /** The newest first. */
  #answered: readonly { delivery: Sendable; isAccepted: boolean }[] = []
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

  lostAfter(): string {
    return this.#lostAfter ? wordsOf(this.#lostAfter) : 'none'
  }

  async isThere(genuine: () => Sendable): Promise<boolean> {
    return this.#lostAfter === null || !isGone(await this.comesBack(genuine()))
  }

  /** Posts it until something answers, or it alone ends the process; resolves with the last exchange. */
  async comesBack(delivery: Sendable, { withinMs, as }: { withinMs?: number; as?: 'preflight' } = {}) {
    const until = this.#now() + (withinMs ?? (this.#wasAwaited ? 0 : this.#subject.restartMs))
    for (;;) {
      const before = this.#ends().length
      const exchange = await this.#post(delivery, as)
      if (this.#subject.ends && !isUnreached(exchange)) await this.#wait()
      this.#isDetached ||= this.#answered.length === 1 && !this.#ends().every(isBadEnd)
      const line = isUnreached(exchange) ? undefined : this.#ends()[before]
      if (line !== undefined) {
        this.#lostAfter = delivery
        this.fatal.push({ delivery, line })
      }
      const isStillborn = this.#answered.length === 0 && this.#ends().filter(isBadEnd).length >= mostStillborn
      const isOver = line !== undefined || isStillborn || this.#isOver(until)
      if (!isGone(exchange) || isOver) {
        this.#wasAwaited = isGone(exchange) && line === undefined
        return exchange
      }
      await this.#wait()
    }
  }

  /**
   * A process that was started here, and ended, may have done so because of what it had answered before: so this one is
   * posted again, alone, and so are those of the last that it refused: what it accepted may have effects.
   */
  async post(delivery: Sendable): Promise<Exchange> {
    const [suspects, before, known] = [this.#answered, this.#endsBefore, this.fatal.length]
    const first = await this.#post(delivery)
    if (!isGone(first)) return first
    this.#lostAfter ??= (isUnreached(first) ? suspects[0]?.delivery : null) ?? delivery
    if (!this.#subject.ends || this.#isDetached || this.#wasAwaited) return first
    await this.#wait()
    // A process that goes on has dropped the connection as its answer.
    if (isDropped(first) && this.#ends().length === before) {
      this.#lostAfter = null
      return first
    }
    const exchange = await this.comesBack(delivery)
    const line = this.#ends()[before]
    if (line === undefined) return exchange
    const isFound = () => this.fatal.length > known
    for (const suspect of suspects)
      if (!suspect.isAccepted && !isFound()) await this.comesBack(suspect.delivery, { as: 'preflight' })
    const genuine = suspects.find(({ isAccepted }) => isAccepted)
    if (!isFound()) this.fatal.push({ delivery: genuine?.delivery ?? delivery, line })
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

  async #post(delivery: Sendable, as?: 'preflight'): Promise<Exchange> {
    const before = this.#ends().length
    return this.#saw(delivery, await delivery.post(as), before)
  }

  #saw(delivery: Sendable, exchange: Exchange, before: number): Exchange {
    delivery.exchange ??= exchange.id
    if (isGone(exchange)) return exchange
    if (exchange.scenario === delivery.scenario) delivery.exchange = exchange.id
    // What ended well while everything was answered only starts a receiver.
    const isAnswering = this.#lostAfter === null && this.#answered.length > 0
    this.#isDetached ||= isAnswering && !this.#ends().slice(this.#endsBefore, before).every(isBadEnd)
    this.#endsBefore = before
    this.#lostAfter = null
    this.#wasAwaited = false
    this.#answered = [{ delivery, isAccepted: accepted(exchange).is === 'pass' }, ...this.#answered].slice(
      0,
      mostSuspects,
    )
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
  return {
    endedAfter: `${wordsOf(one.delivery)}${more} (${one.line})`,
    fatal: one.delivery.exchange ?? 0,
  }
}
