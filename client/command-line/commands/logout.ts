/** `service-client logout`: forgets a profile. The key itself stays valid until the project takes it back. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { parseProfileName, profilesPath, removeProfile } from '../settings/profiles.ts'
import { CommandUsageError } from '../usage-error.ts'
import { withVendorOptions } from '../settings/vendor.ts'

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
