/** The console block of a page, and what its commands print. */
import { run } from '../cli/process.testkit.ts'

const start = '$ npx @touchstone-suite/touchstone '

/** `shown`: the first block of the page; `printed`: its commands, each with what it printed just now. */
export async function runConsoleBlock(page: string): Promise<{ shown: string; printed: string }> {
  const [, shown = ''] = /^```console\n(.*?)^```/ms.exec(page) ?? []
  const commands = shown.split('\n').filter((line) => line.startsWith(start))
  if (commands.length === 0) throw new Error('the page has no console block with a command')
  let printed = ''
  for (const command of commands)
    printed += `${command}\n${(await run(command.slice(start.length).split(' '))).out}`
  return { shown, printed }
}
