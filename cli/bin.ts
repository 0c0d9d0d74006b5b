#!/usr/bin/env node
/** Checks the version of Node before importing anything that an older one cannot parse. */
const least = [22, 19] as const
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

async function start(argv: readonly string[]): Promise<number> {
  const [only = ''] = argv.length === 1 ? argv : []
  if (/^(-V|--version)$/.test(only)) return print(`${(await import('./version.ts')).version()}\n`)
  if (/^(-h|--help)$/.test(only)) return print((await import('./version.ts')).firstHelp)
  const { enableCompileCache } = await import('node:module')
  // Caching the compiled code shortens the start; Deno has no such cache.
  ;(enableCompileCache as typeof enableCompileCache | undefined)?.()
  const { main } = await import('./main.ts')
  const { processIo } = await import('./process-io.ts')
  return main(argv, processIo())
}

/** Loads no command, because scripts and prompts ask often. */
function print(text: string): number {
  // A reader such as `head` may have closed the pipe.
  process.stdout.on('error', () => undefined).write(text)
  return 0
}

if (major < least[0] || (major === least[0] && minor < least[1])) {
  process.stderr.write(
    `touchstone needs Node ${least.join('.')} or newer, but this is ${process.versions.node}: install a newer one from nodejs.org or with your version manager\n`,
  )
  process.exitCode = 2
} else {
  // Node's own exit code for a promise that never settles: such an end must not look like a success.
  process.exitCode = 13
  void start(process.argv.slice(2)).then((code) => void (process.exitCode = code))
}
