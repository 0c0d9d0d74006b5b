/** Opens an address in the default browser. */
import { spawn } from 'node:child_process'

const commands: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  // Without the empty title, `start` would take the address for one.
  win32: ['cmd', '/c', 'start', ''],
}

/** Resolves with whether something was started that opens it. */
export function openBrowser(address: string): Promise<boolean> {
  const [program, ...words] = commands[process.platform] ?? ['xdg-open']
  return new Promise((resolve) => {
    const child = spawn(program, [...words, address], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
