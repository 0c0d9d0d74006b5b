/** `touchstone keygen`: the options. The implementation is loaded when it runs. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import type { KeygenOptions } from './keygen.ts'

const help = `
Examples:
  touchstone keygen
  touchstone keygen --out keys/release.pem

Exit codes:
  0  both files are written
  2  one of the files exists or cannot be written`

export function keygenCommand({ io, end }: CommandContext): Command {
  return new Command('keygen')
    .description('create a pair of Ed25519 keys to sign and verify runs')
    .option('--out <file>', 'write the private key here, the public one next to it', 'touchstone-key.pem')
    .addHelpText('after', help)
    .action(async (options: KeygenOptions) => {
      const { keygen } = await import('./keygen.ts')
      end(keygen(options, io))
    })
}
