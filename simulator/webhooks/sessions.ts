/** Which signed-in user a request carries, and whether it carries a project key instead. */
import { headerValues, type Call } from '../http/call.ts'
import type { ApiKey } from '../world/principals.ts'
import type { World } from '../world/world.ts'
import type { Session } from './webhook.ts'

type Carried = Pick<Call, 'headers'>

/** What the cookie `session` holds; null where there is none. */
export function cookieToken(call: Carried): string | null {
  for (const header of headerValues(call, 'cookie'))
    for (const pair of header.split(';')) {
      const [name = '', ...value] = pair.split('=')
      if (name.trim() === 'session') return value.join('=').trim()
    }
  return null
}

function bearerToken(call: Carried, { rules }: World): string | null {
  const [authorization, second] = headerValues(call, 'authorization')
  return authorization === undefined || second !== undefined ? null : rules.bearer(authorization)
}

export function sessionByCookie(call: Carried, world: World): Session | null {
  return world.sessions.get(cookieToken(call) ?? '') ?? null
}

export function sessionByBearer(call: Carried, world: World): Session | null {
  return world.sessions.get(bearerToken(call, world) ?? '') ?? null
}

/** The project key that a request carries; null where it has none that is valid. */
export function projectKeyOf(call: Carried, world: World): ApiKey | null {
  const apiKey = world.apiKeys.get(bearerToken(call, world) ?? '')
  return apiKey && world.rules.isValid(apiKey) ? apiKey : null
}

/** What a service that takes a project key for a user would make of it; for faults. */
export function sessionOfKey(call: Carried, world: World): Session | null {
  const apiKey = projectKeyOf(call, world)
  return [...world.sessions.values()].find(({ account }) => account === apiKey?.account) ?? null
}
