/**
 * A scenario is a list of exchanges: run once, judged many times. `run` names each exchange as it sends
 * it; `judge` holds one pure function per clause over those names. What a scenario covers is the keys of
 * `judge`, so a typo in a clause id is a compile error, and so is a name that was not declared.
 */
import type { OptIn, Profile } from '../config/target.ts'
import type { NamedExchanges } from './exchange-names.ts'
import type { ClauseId, GapId, Scope, StateId, WebhookEvent } from '../../spec/index.ts'
import type { Dialect } from '../config/dialect.ts'
import type { OperationFixture } from '../config/target.ts'
import type { Judgement } from './judgement.ts'
import type { Driver } from './driver.ts'

/** What a key has to be good for. The suite picks a principal by this, never by its name. */
export interface PrincipalNeed {
  with?: readonly Scope[]
  without?: readonly Scope[]
  /** `restricted`: to one agent that is not the plain one. `other-account`: sees none of our agents. `sacrificial`: may be rate limited. `revoked`: was valid once. */
  kind?: 'ordinary' | 'restricted' | 'other-account' | 'second-of-account' | 'sacrificial' | 'revoked'
}

/** The first fixture that fits is taken. */
export interface OperationNeed {
  receipt: OperationFixture['receipt']
  /** Default: either. */
  write?: boolean
  /** It declares what shows how often it was done; `preferred`: one that does is taken before others. */
  effect?: true | 'preferred'
  /** It declares within how many seconds its work is done if its task is never read. */
  doneWithin?: true
}

export interface Needs {
  /** Default: an ordinary key with `chat`. */
  principal?: PrincipalNeed
  /** Further principals by the role the scenario gives them. */
  others?: Readonly<Record<string, PrincipalNeed>>
  /** States to enter before `run`, in this order; left in reverse. */
  states?: readonly StateId[]
  /** A second agent of the same account. */
  secondAgent?: true
  /** An agent that says again what an earlier message of its conversation said. */
  recall?: true
  /** A further base address of the same deployment. */
  replicas?: true
  /** A signed-in user, who may manage webhooks. */
  session?: true
  /** A place of ours that the target can deliver to. */
  receiver?: true
  /** A webhook event that the target can send: one by name, or any. */
  event?: WebhookEvent | 'any'
  /** No other scenario may run at the same time: it triggers events that others wait for. */
  alone?: true
  /**
   * A key of the older chat variant; `two-keys`: and that of another agent; `limited`: one that may be rate limited.
   */
  older?: 'key' | 'two-keys' | 'limited'
  /** An operation that the target file declares; of a write, only where `writes` is opted in to. */
  operation?: OperationNeed
  /** Nobody else may spend credits of the account while the scenario is run. */
  exclusiveCredits?: true
  optIn?: readonly OptIn[]
  /**
   * One more look at clauses that other scenarios judge: where the target does not declare what it needs it is not
   * planned at all, and the clauses are none the worse for it.
   */
  extra?: true
}

/** The most it can take; the plan adds these up, and the budget holds the run to them. */
export interface Cost {
  requests: number
  /** Billable turns. */
  turns: number
  /** So many requests in a row may not be held back by the rate of their key. Default: all. */
  inOneGo?: number
}

/** What a judge may know besides the scenario: plain data, so that a recorded run can be judged again. */
export interface Context {
  dialect: Dialect
  /** Notes that `run` left with `t.note`, such as the text it asked for. */
  notes: Readonly<Record<string, string | number | boolean>>
}

export type Judge<N extends string> = (scenario: NamedExchanges<N>, context: Context) => Judgement

export interface Scenario<N extends string = string> {
  title: string
  /** Every exchange of the scenario, in order. */
  exchanges: readonly N[]
  needs?: Needs
  cost: Cost
  /** Default `standard`. */
  profile?: Profile
  run(driver: Driver<N>): Promise<void>
  /** One pure function per clause; a gap may be observed, never judged. */
  judge: { readonly [C in ClauseId]?: Judge<N> }
  observe?: { readonly [G in GapId]?: Judge<N> }
}

/** A scenario as tables hold it: the names are erased once the compiler has checked the scenario. */
export type AnyScenario = Scenario

/** Declares a scenario; the names in `exchanges` type both `run` and `judge`. */
export function scenario<const N extends string>(planned: Scenario<N>): AnyScenario {
  return planned
}

type Files = Readonly<Record<string, Readonly<Record<string, AnyScenario>>>>

export function byId(files: Files): Readonly<Record<string, AnyScenario>> {
  return Object.fromEntries(
    Object.entries(files).flatMap(([file, scenarios]) =>
      Object.entries(scenarios).map(([name, scenario]) => [`${file}/${kebab(name)}`, scenario] as const),
    ),
  )
}

export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
