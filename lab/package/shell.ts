/** Runs command lines in empty folders, as somebody does who has only Node and npm. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { dirname, join } from 'node:path'

type Environment = Readonly<Record<string, string>>

/** Without what `npm run` adds: its variables, and the commands of this project. */
function plain(): Environment {
  const { PATH = '', HOME = '' } = process.env
  const own = Object.entries(process.env).filter(([name]) =>
    /^(NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy)$/i.test(name),
  )
  const kept = PATH.split(':').filter((path) => !path.includes('node_modules'))
  return { ...(Object.fromEntries(own) as Environment), HOME, PATH: kept.join(':') }
}

/** The lines, with those that start the package on the Node that runs this, which is new enough. */
export function onNewNode(lines: string): string {
  return lines.replaceAll(/^npx /gm, `PATH="${dirname(process.execPath)}:$PATH" npx `)
}

export interface Ran {
  readonly place: string
  readonly seconds: number
}

/** Runs them in a new folder below `folder`, on the machine's own Node. Throws with the output if one fails. */
export function runLines(folder: string, lines: string, more: Environment): Ran {
  const env = { ...plain(), ...more }
  const place = mkdtempSync(join(folder, 'empty-'))
  const began = performance.now()
  const { status, stdout, stderr } = spawnSync('bash', ['-ec', lines], { cwd: place, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${lines}ended with ${status}:\n${stdout}${stderr}`)
  return { place, seconds: (performance.now() - began) / 1000 }
}

/**
 * Starts the installed command by its path with the machine's own Node and returns what it printed. Throws if an older
 * Node than the package needs gets anything but the one line, or a clone does not start.
 */
export function oldNode(place: string, isClone: boolean): string {
  const home = isClone ? join(place, 'touchstone') : place
  const env = plain()
  const own = spawnSync('node', ['--version'], { env, encoding: 'utf8' }).stdout.trim()
  const command = join(home, 'node_modules/.bin/touchstone')
  const { status, stdout, stderr } = spawnSync(command, ['--version'], { env, encoding: 'utf8' })
  const [major = 0, minor = 0] = own.slice(1).split('.').map(Number)
  const starts = isClone || major > 22 || (major === 22 && minor >= 19)
  const isRight = starts
    ? status === 0 && /^\d+\.\d+\.\d+\n$/.test(stdout)
    : status === 2 && /^touchstone needs Node 22\.19 or newer, but this is .+\n$/.test(stderr)
  const printed = `${stdout}${stderr}`.trim()
  if (!isRight) throw new Error(`${command} on Node ${own} ended with ${status}: ${printed}`)
  return `Node ${own}: ${printed}`
}
