/** `touchstone doctor`: the options. The implementation is loaded when it runs. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { withVendor } from '../vendor.ts'
import type { DoctorOptions } from './doctor.ts'

const help = `
✓ ok, ✗ wrong or missing, – not checked.

Exit codes:
  0  nothing contradicts the file
  2  the file, or something it declares, is wrong
  3  something the file relies on is missing
  4  target unreachable`

export function doctorCommand({ io, end }: CommandContext): Command {
  const command = new Command('doctor')
    .description('check a target file against the live target, with few requests and at most 8 turns')
    .argument('[target]', '`simulator`, or a target file (YAML)')
    .option('--base-url <url>', 'use this base URL instead of a target file')
    .option('--api-key <ref>', 'use this API key, as env:NAME or file:PATH')
    .option('--agent <id>', 'use this agent, which the key may call')
    .option('--json', 'print JSON')
    .option('--verbose', 'list everything that is not configured')
  return withVendor(command)
    .addHelpText('after', help)
    .action(async (target: string | undefined, options: DoctorOptions) => {
      const { doctor } = await import('./doctor.ts')
      end(await doctor(target, options, io))
    })
}
