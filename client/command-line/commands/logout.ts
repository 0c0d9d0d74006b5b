/** `service-client logout`: forgets a profile. The key itself stays valid until the project takes it back. */
import { Command } from 'commander'
import type { Desk } from '../command-context.ts'
import { profileName, profilesPath, removeProfile } from '../settings/profiles.ts'
import { UsageError } from '../usage-error.ts'
import { withVendor } from '../settings/vendor.ts'

export function logoutCommand({ io }: Desk): Command {
  return withVendor(new Command('logout'))
    .description('forget a saved profile; the key stays valid until the project takes it back')
    .requiredOption('--profile <name>', 'the name of the profile')
    .action(({ profile }: { profile: string }) => {
      const name = profileName(profile)
      if (!removeProfile(name, io))
        throw new UsageError(
          `there is no profile ${name} in ${profilesPath(io)}: \`${io.speech.program} profiles\` lists those there are.`,
        )
      io.err(`${name} is gone from ${profilesPath(io)}. The key itself is as valid as before.\n`)
    })
}
