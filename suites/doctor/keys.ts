/** What the answer to a free request says of a key and of an agent. Pure; a contract without an order of checks is borne in mind. */
import { ordinary } from '../runner/states/settings.ts'
import type { Principal, Target } from '../config/target.ts'
import { fine, missing, unknownSign, wrong, type DoctorResult } from './sign.ts'

/** What is known of the order in which a target checks a request. */
export interface Order {
  /** A request without a key is refused for that, though its body is wrong too. */
  keysFirst: boolean
  /** And one for an agent that there is not. */
  agentsFirst: boolean
}

export interface KeyResponse {
  /** Null if there was no response. */
  status: number | null
  failure: string
}

interface Case {
  principal: Principal
  target: Target
  agent: string
  order: Order
}

type Words = (about: string, one: Case) => DoctorResult

const unseen = 'a free request shows nothing of it, because the target looks at bodies first'

/** What a key that is good for a turn is answered; 400 is what a body without message and key has to get. */
const ofKey: Readonly<Record<number, Words>> = {
  200: (about) =>
    unknownSign(about, 'a body without message and key was answered 200; a run will judge that'),
  400: (about, { order }) =>
    order.keysFirst ? fine(about, 'the key is accepted') : unknownSign(about, unseen),
  401: (about) => wrong(about, `the key is refused with 401; give a valid one as ${about}.bearer`),
  402: (about, { principal, target }) =>
    isSpent(principal, target)
      ? fine(about, 'the key is accepted, and has no credits left')
      : wrong(about, 'no credits are left (402); add some, or declare it under states.credits.exhausted'),
  403: (about, { principal, agent, target }) =>
    isForeign(principal, target)
      ? fine(about, `the key is accepted, and may not call ${agent}`)
      : wrong(
          about,
          `the key may not chat with ${agent} (403); fix ${about}.scopes or ${about}.agents, or what the key may do`,
        ),
  404: (about, { principal, agent, target }) =>
    isForeign(principal, target)
      ? fine(about, `the key is accepted, and knows no ${agent}`)
      : wrong(about, `there is no agent ${agent} for it (404); fix ${agentPlace(agent, target, about)}`),
}

/** What a key is answered that was withdrawn, or that may not chat. */
const ofRevoked: Readonly<Record<number, Words>> = {
  401: (about) => fine(about, 'the key is refused, as one that is revoked'),
}
const ofNoChat: Readonly<Record<number, Words>> = {
  403: (about) => fine(about, 'the key is accepted, and may not chat'),
  401: (about) => wrong(about, `the key is refused with 401; give a valid one as ${about}.bearer`),
}

export function judgeKey({ status, failure }: KeyResponse, one: Case): DoctorResult {
  const { principal, order } = one
  const about = `principals.${principal.name}`
  const unwell = unwellSign(about, { status, failure })
  if (unwell) return unwell
  if (principal.revoked) {
    if (order.keysFirst && status !== 401)
      return wrong(about, `it is declared revoked, and is still valid (${status}); withdraw the key`)
    return ofRevoked[status ?? 0]?.(about, one) ?? unknownSign(about, unseen)
  }
  if (!principal.scopes.includes('chat'))
    return (
      ofNoChat[status ?? 0]?.(about, one) ??
      unknownSign(about, `${status} does not show that it may not chat`)
    )
  return ofKey[status ?? 0]?.(about, one) ?? unknownSign(about, `${status} says nothing of the key`)
}

export function judgeAgent(
  { status, failure }: KeyResponse,
  about: string,
  agent: string,
  order: Order,
): DoctorResult {
  const unwell = unwellSign(about, { status, failure })
  if (unwell) return unwell
  if (status === 404) return wrong(about, `there is no agent ${agent} (404); fix ${about}`)
  if (status === 403)
    return wrong(about, `the ordinary key may not call ${agent} (403); fix ${about}, or what the key may do`)
  if (status === 400 && order.agentsFirst) return fine(about, `${agent} is there`)
  return unknownSign(about, status === 400 ? unseen : `${status} says nothing of the agent`)
}

/** Of an answer that says nothing of what was asked, whatever that was. */
export function unwellSign(about: string, { status, failure }: KeyResponse): DoctorResult | null {
  if (status === null)
    return missing(about, `no response (${failure}); check the target and run doctor again`)
  if (status === 429) return unknownSign(about, 'too many requests (429); wait a minute, and ask again')
  if (status >= 500) return missing(about, `the target answered ${status}; look at the target, and ask again`)
  return null
}

function isSpent({ name }: Principal, { states }: Target): boolean {
  const provision = states['credits.exhausted']
  return provision?.provide === 'fixture' && provision.principal === name
}

/** A key of another account sees none of our agents. */
function isForeign({ account, agents }: Principal, target: Target): boolean {
  return agents === '*' && account !== ordinary(target)?.account
}

function agentPlace(agent: string, { agents }: Target, about: string): string {
  return agent === agents.plain ? 'agents.plain' : `${about}.agents`
}
