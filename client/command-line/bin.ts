#!/usr/bin/env node
/** Looks at the version of Node before anything is imported that an older one could not even read. */
const least = [22, 19] as const
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

async function start(): Promise<number> {
  const { runCommandLine: main } = await import('./main.ts')
  const { commandLineIo: processIo } = await import('./process-io.ts')
  return main(process.argv.slice(2), processIo())
}

if (major < least[0] || (major === least[0] && minor < least[1])) {
  process.stderr.write(
    `service-client needs Node ${least.join('.')} or newer, but this is ${process.versions.node}: install a newer one from nodejs.org or with your version manager\n`,
  )
  process.exitCode = 2
} else {
  // What Node itself ends with where a promise is never settled: such an end is not to look like a success.
  process.exitCode = 13
  void start().then((code) => void (process.exitCode = code))
}
