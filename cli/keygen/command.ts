/** `touchstone keygen`: a pair of Ed25519 keys. */
import { Command } from 'commander'
import type { CommandContext } from '../command-context.ts'

export function keygenCommand({ io }: CommandContext): Command {
  return new Command('keygen')
    .description('create a pair of Ed25519 keys to sign and verify runs')
    .option('--out <file>', 'write the private key here, the public one next to it', 'touchstone-key.pem')
    .action(async ({ out }: { out: string }) => {
      const { keygen } = await import('./keygen.ts')
      const shown = `${out.replace(/\.pem$/, '')}.pub.pem`
      io.out(`key id   ${keygen(out, shown)}\nprivate  ${out}\npublic   ${shown}\n`)
    })
}
