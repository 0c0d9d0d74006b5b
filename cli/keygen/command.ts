/** `touchstone keygen`: a pair of keys to sign runs with. */
import { Command } from 'commander'
import type { Bench } from '../bench.ts'
import type { KeygenOptions } from './keygen.ts'

const help = `
Examples:
  touchstone keygen
  touchstone keygen --out keys/release.pem

Exit codes:
  0  both files are written
  2  one of them is there already, or cannot be written`

export function keygenCommand({ io, end }: Bench): Command {
  return new Command('keygen')
    .description('make a pair of Ed25519 keys: one signs what a run wrote, the other checks it')
    .option('--out <file>', 'where the private key goes; the public one beside it', 'touchstone-key.pem')
    .addHelpText('after', help)
    .action(async (options: KeygenOptions) => {
      const { keygen } = await import('./keygen.ts')
      end(keygen(options, io))
    })
}
