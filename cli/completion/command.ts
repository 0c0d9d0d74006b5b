/** `touchstone completion` */
import { Argument, Command } from 'commander'
import type { CommandContext } from '../command-context.ts'
import { completionScripts, type ShellName } from './scripts.ts'

const help = `
Add one of these to the start-up file of the shell:
  bash        eval "$(touchstone completion bash)"
  zsh         eval "$(touchstone completion zsh)"     # after compinit
  fish        touchstone completion fish | source
  powershell  touchstone completion powershell | Out-String | Invoke-Expression`

export function completionCommand({ io }: CommandContext): Command {
  return new Command('completion')
    .description('print a script that completes commands, options and names in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(completionScripts)))
    .addHelpText('after', help)
    .action((shell: ShellName) => io.out(completionScripts[shell]))
}
