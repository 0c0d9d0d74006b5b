/** Named profiles, each a key with the address it was checked against, in one file that only its owner may read. */
import { isObject, parsed } from '../../json.ts'
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { Catalogue } from '../../catalogue/catalogue.ts'
import type { Dialect, Partly } from '../../options/dialect.ts'
import { isCatalogue, checked, errorCodeOf, CommandUsageError } from './values.ts'
import type { DiscreetIo } from '../output/write.ts'
import { namesOf, type VendorSelection } from './vendor.ts'

export interface SavedProfile extends VendorSelection {
  baseUrl: string
  apiKey: string
  catalogue?: Catalogue
  dialect?: Partly<Dialect>
}

/** As it lies in the file; members that a newer version may have put beside these are kept. */
interface Document {
  version: 1
  profiles: Record<string, SavedProfile>
}

type Place = Pick<DiscreetIo, 'env' | 'home' | 'windows' | 'speech'>

export function profilesPath({ env, home, windows, speech }: Place): string {
  const { XDG_CONFIG_HOME: xdg = '', APPDATA: appData = '' } = env
  const [given, otherwise] = windows ? [appData, 'AppData/Roaming'] : [xdg, '.config']
  // A relative path there is to be passed over, says the XDG specification.
  return join(isAbsolute(given) ? given : join(home, otherwise), speech.names.profileFolder, 'profiles.json')
}

/** A profile may be named by what shells and file names take as it is. Throws a UsageError. */
export function parseProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name
  throw new CommandUsageError(
    '--profile takes 1 to 64 letters, digits, dots, dashes and underscores, a letter or digit first.',
  )
}

/** The profile of that name; undefined where there is none. Throws a UsageError where what it remembers is no use. */
export function profileIn(place: Place, name: string): SavedProfile | undefined {
  const profile = profilesIn(place).get(name)
  if (!profile) return undefined
  const { catalogue, dialect } = profile
  namesOf(profile)
  if (dialect !== undefined) checked(`the dialect of the profile ${name}`, dialect)
  if (catalogue === undefined || isCatalogue(catalogue)) return profile
  throw new CommandUsageError(`the catalogue of the profile ${name} is none: save the profile anew.`)
}

/** By name. Throws a UsageError where the file is there and is not what this writes. */
export function profilesIn(place: Place): ReadonlyMap<string, SavedProfile> {
  return new Map(Object.entries(documentIn(profilesPath(place)).profiles))
}

/** The file with the profile in it, others as they were. Throws a UsageError, and then changes nothing. */
export function saveProfile(name: string, profile: SavedProfile, place: Place): void {
  change(place, (profiles) => ({ ...profiles, [name]: profile }))
}

/** Whether it was there. */
export function removeProfile(name: string, place: Place): boolean {
  if (!profilesIn(place).has(name)) return false
  change(place, ({ [name]: _gone, ...others }) => others)
  return true
}

/** A word for a person where others may read the file; null where all is well. */
export function looseness(place: Place): string | null {
  const path = profilesPath(place)
  const { mode } = statSync(path, { throwIfNoEntry: false }) ?? { mode: 0 }
  if (place.windows || (mode & 0o077) === 0) return null
  return `others on this machine may read ${path}: run chmod 600 on it`
}

function documentIn(path: string): Document {
  let document: unknown
  try {
    // A pipe or a device might be read without end.
    if (!statSync(path).isFile()) throw Object.assign(new Error('no file'), { code: 'it is no file' })
    document = parsed(readFileSync(path, 'utf8'))
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return { version: 1, profiles: {} }
    throw new CommandUsageError(`${path} cannot be read (${errorCodeOf(error)}): make it yours to read.`)
  }
  if (isDocument(document)) return document
  throw new CommandUsageError(
    `${path} is not what this version of service-client writes: fix it, or move it away and log in again. It was left as it is.`,
  )
}

const isProfile = (value: unknown): value is SavedProfile =>
  isObject(value) && typeof value['baseUrl'] === 'string' && typeof value['apiKey'] === 'string'

const isDocument = (value: unknown): value is Document =>
  isObject(value) &&
  value['version'] === 1 &&
  isObject(value['profiles']) &&
  Object.values(value['profiles']).every(isProfile)

/**
 * The new file is written beside the old one and takes its place when it is whole. Its name is also the lock: of two
 * logins at once the second one is refused, and so neither loses what the other saved.
 */
function change(place: Place, edit: (profiles: Document['profiles']) => Document['profiles']): void {
  const path = profilesPath(place)
  const lock = `${path}.new`
  const file = begin(path, lock)
  try {
    const document = documentIn(path)
    const text = JSON.stringify({ ...document, profiles: edit(document.profiles) }, null, 2)
    writeFileSync(file, `${text}\n`)
    fsyncSync(file)
    closeSync(file)
    renameSync(lock, path)
  } catch (error) {
    rmSync(lock, { force: true })
    throw error instanceof CommandUsageError ? error : unwritable(path, error)
  }
}

/** The file to write to, open, for nobody else's eyes. */
function begin(path: string, lock: string): number {
  try {
    const folder = join(path, '..')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    return openSync(lock, 'wx', 0o600)
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw unwritable(path, error)
    throw new CommandUsageError(
      `another login is writing ${path}: wait for it, or remove ${lock} if none is.`,
    )
  }
}

function unwritable(path: string, error: unknown): CommandUsageError {
  return new CommandUsageError(
    `${path} cannot be written (${errorCodeOf(error)}): make its folder yours to write.`,
  )
}
