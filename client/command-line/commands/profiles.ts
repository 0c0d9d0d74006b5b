/** `service-client login`, `profiles` and `logout`: keys that are saved under a name. */
import { type CommandContext, type DiscreetIo, columns } from '../output/write.ts'
import { type Files, addressed, settingsFilesOf } from '../settings/connection.ts'
import { type Choice, baseUrlOf, usableKey } from '../settings/credential.ts'
import {
  type SavedProfile,
  looseness,
  parseProfileName,
  profilesIn,
  profilesPath,
  removeProfile,
  saveProfile,
} from '../settings/profiles.ts'
import { withVendorOptions } from '../settings/vendor.ts'
import { CommandUsageError, textAt } from '../settings/values.ts'
import { ServiceClient } from '../../service-client.ts'
import { Command } from 'commander'

interface LoginOptions extends Omit<Choice, 'profile'>, Files {
  profile: string
  keyFrom?: string
}

const help = `
Examples:
  service-client login --profile work --base-url https://service.example
  service-client login --profile ci --base-url https://service.example --key-from env:{apiKeyVariable}
  service-client login --profile ci --base-url https://service.example < key.txt

The key is asked for, and not shown; where no terminal is, it is read from standard input. It is never an argument,
because others on the machine can read those. What --vendor, --identifier, --catalogue and --dialect say is saved with
the key, and is used wherever the profile is.`

export function loginCommand({ io }: CommandContext): Command {
  return addressed(
    new Command('login')
      .description('save a key as a profile, after the service has accepted it')
      .requiredOption(
        '--profile <name>',
        'the name of the profile; `default` is used where no other is chosen',
      )
      .option('--key-from <place>', 'env:NAME or file:PATH, where the key is read from'),
  )
    .addHelpText('after', help)
    .action((options: LoginOptions) => login(options, io))
}

async function login(options: LoginOptions, io: DiscreetIo): Promise<void> {
  const name = parseProfileName(options.profile)
  // Fails on an invalid file before the key is typed.
  profilesIn(io)
  const baseUrl = baseUrlOf(options, io)
  const files = settingsFilesOf(options)
  const { choice } = io.speech
  const apiKey = await keyFor(options, io)
  io.conceal(apiKey)
  const client = new ServiceClient({ apiKey, baseUrl, ...files, ...choice })
  const operations = await client.discoverOperations({ signal: io.stopped })
  saveProfile(name, { baseUrl, apiKey, ...choice, ...remembered(options, files) }, io)
  io.err(
    `${baseUrl} accepted the key, which reaches ${operations.length} operations. Saved as ${name} in ${profilesPath(io)}.\n`,
  )
}

/** Only what was given: what is not is that of the package, also of a later one. */
const remembered = (given: Files, files: ReturnType<typeof settingsFilesOf>): Partial<SavedProfile> => ({
  ...(given.catalogue !== undefined && { catalogue: files.catalogue }),
  ...(given.dialect !== undefined && { dialect: files.dialect }),
})

async function keyFor({ keyFrom }: LoginOptions, io: DiscreetIo): Promise<string> {
  if (keyFrom !== undefined) return keyAt(keyFrom, io)
  if (io.hidden) return usableKey('what was typed', (await io.hidden('API key: ', io.stopped)).trim())
  return usableKey('standard input', (await io.read()).trim())
}

/** Throws a UsageError that does not repeat the place where that may be the key itself. */
function keyAt(place: string, { env }: DiscreetIo): string {
  const [, kind, name = ''] = /^(env|file):(.+)$/s.exec(place) ?? []
  if (kind === 'env') return usableKey(`--key-from ${place}`, (env[name] ?? '').trim())
  if (kind === 'file') return usableKey(`--key-from ${place}`, textAt(`--key-from ${place}`, name).trim())
  throw new CommandUsageError(
    '--key-from takes no key itself, because others can read a command line: give env:NAME or file:PATH.',
  )
}

export function logoutCommand({ io }: CommandContext): Command {
  return withVendorOptions(new Command('logout'))
    .description('forget a saved profile; the key stays valid until the project takes it back')
    .requiredOption('--profile <name>', 'the name of the profile')
    .action(({ profile }: { profile: string }) => {
      const name = parseProfileName(profile)
      if (!removeProfile(name, io))
        throw new CommandUsageError(
          `there is no profile ${name} in ${profilesPath(io)}: \`${io.speech.program} profiles\` lists those there are.`,
        )
      io.err(`${name} is gone from ${profilesPath(io)}. The key itself is as valid as before.\n`)
    })
}

export function profilesCommand({ io }: CommandContext): Command {
  return withVendorOptions(new Command('profiles'))
    .description('list the saved profiles with their addresses')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: true }) => {
      const rows = [...profilesIn(io)].map(([name, { baseUrl, vendor }]) => ({
        name,
        baseUrl,
        ...(vendor !== undefined && { vendor }),
      }))
      if (json) io.out(`${JSON.stringify(rows)}\n`)
      else io.out(columns(rows.map(({ name, baseUrl, vendor = '' }) => [name, baseUrl, vendor])))
      const loose = looseness(io)
      if (loose !== null) io.err(`warning: ${loose}.\n`)
      if (rows.length === 0) io.err(`No profile is saved in ${profilesPath(io)}.\n`)
    })
}
