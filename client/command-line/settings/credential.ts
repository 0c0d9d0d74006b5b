/** Which key a command uses, where it is from, and which address it goes to. */
import { baseUrlFrom, CommandUsageError } from './values.ts'
import type { DiscreetIo } from '../output/write.ts'
import {
  looseness,
  profileIn,
  parseProfileName,
  profilesIn,
  profilesPath,
  type SavedProfile,
} from './profiles.ts'
import { chosenWith, namesOf } from './vendor.ts'

export interface Choice {
  profile?: string
  baseUrl?: string
  allowHttp?: boolean
}

export interface Credential {
  apiKey: string
  /** Without a trailing slash. */
  baseUrl: string
  source: { from: 'profile'; profile: string } | { from: 'environment' }
  /** The profile, where it is of one. */
  saved?: SavedProfile
}

/** The profile that is used where none is chosen and the environment has no key: our own, the contract has none. */
export const defaultProfile = 'default'

/**
 * A profile that was chosen, else the key of the environment, else the profile `default`. What was found is used, or
 * the command ends: another credential is never tried in its place. Throws a UsageError.
 */
export function credentialFor(choice: Choice, io: DiscreetIo): Credential {
  const { names, program } = io.speech
  const variable = names.apiKeyVariable
  const key = io.env[variable]
  if (choice.profile !== undefined) return ofProfile(parseProfileName(choice.profile), choice, io)
  if (key === '')
    throw new CommandUsageError(
      `${variable} is set and empty: put a key in it, unset it, or choose a --profile.`,
    )
  if (key !== undefined) {
    const apiKey = usableKey(variable, key)
    return { apiKey, baseUrl: baseUrlOf(choice, io), source: { from: 'environment' } }
  }
  if (profilesIn(io).has(defaultProfile)) return ofProfile(defaultProfile, choice, io)
  throw new CommandUsageError(
    `there is no key: set ${variable}, choose a --profile, or save one with \`${program} login --profile default\`.`,
  )
}

/** A key as a header can carry it. Throws a UsageError that does not repeat it. */
export function usableKey(from: string, key: string): string {
  if (/^[\x21-\x7e]{1,1024}$/.test(key)) return key
  throw new CommandUsageError(`${from} holds no key: one is a single word of letters, digits and signs.`)
}

function ofProfile(name: string, choice: Choice, io: DiscreetIo): Credential {
  const profile = profileIn(io, name)
  if (!profile)
    throw new CommandUsageError(
      `there is no profile ${name} in ${profilesPath(io)}: save it with \`${io.speech.program} login --profile ${name}\`.`,
    )
  const loose = looseness(io)
  if (loose !== null) io.err(`warning: ${loose}.\n`)
  const apiKey = usableKey(`the profile ${name}`, profile.apiKey)
  const baseUrl = baseUrlOf(choice, io, profile)
  return { apiKey, baseUrl, source: { from: 'profile', profile: name }, saved: profile }
}

/** `--base-url`, else that of the environment, else the address of the profile. Throws a UsageError. */
export function baseUrlOf(
  { baseUrl, allowHttp }: Choice,
  { env, speech }: DiscreetIo,
  profile?: SavedProfile,
): string {
  const { baseUrlVariable } = namesOf(chosenWith(speech.choice, profile))
  const configured = env[baseUrlVariable] ?? ''
  if (baseUrl !== undefined) return baseUrlFrom('--base-url', baseUrl, allowHttp)
  if (configured !== '') return baseUrlFrom(baseUrlVariable, configured, allowHttp)
  if (profile) return baseUrlFrom('the address of the profile', profile.baseUrl, allowHttp)
  throw new CommandUsageError(
    `there is no address of the service: give --base-url, or set ${baseUrlVariable}.`,
  )
}
