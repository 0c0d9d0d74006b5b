/** `touchstone doctor`: whether what a target file says is so, before a run. */
import { Command } from 'commander'
import type { Bench } from '../bench.ts'
import { withVendor } from '../vendor.ts'
import type { DoctorOptions } from './doctor.ts'

const help = `
✓ is as the file says, ✗ is not, – was not seen.

Exit codes:
  0  nothing speaks against the file
  2  the file, or what it says, is wrong
  3  something that the file counts on is not there
  4  the target cannot be reached`

export function doctorCommand({ io, end }: Bench): Command {
  const command = new Command('doctor')
    .description('look whether a target is as its file says, with 30 requests and 8 turns at most')
    .argument('[target]', '`simulator`, or a target file (YAML)')
    .option('--base-url <url>', 'a target without a file: its base address')
    .option('--api-key <ref>', 'its API key, as env:NAME or file:PATH')
    .option('--agent <id>', 'an agent that the key may call')
    .option('--json', 'print JSON')
  return withVendor(command)
    .addHelpText('after', help)
    .action(async (target: string | undefined, options: DoctorOptions) => {
      const { doctor } = await import('./doctor.ts')
      end(await doctor(target, options, io))
    })
}
