/** A disk that can be full: a small file system where root may mount one, else a limit on the size of files. */
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export interface Disk {
  /** How it is made full, or why it cannot be. */
  readonly way: string
  readonly canFill: boolean
  /** Nothing more can be written, by the process `pid` at the least. */
  fill(pid: number): void
  /** Whoever was refused can write again. */
  free(pid: number): void
  end(): void
}

const mebibyte = 1024 * 1024
const sizeMiB = 1024

const works = (program: string, ...words: readonly string[]): boolean =>
  spawnSync(program, words, { stdio: 'ignore' }).status === 0

/** Writes zeros until nothing more fits. */
function writeBallast(path: string): void {
  const file = openSync(path, 'w')
  let bytes = mebibyte
  try {
    while (bytes > 0)
      try {
        writeSync(file, Buffer.alloc(bytes))
      } catch {
        // The last bytes are filled with smaller and smaller pieces.
        bytes = bytes === 1 ? 0 : Math.floor(bytes / 16) || 1
      }
  } finally {
    closeSync(file)
  }
}

function smallDisk(folder: string): Disk {
  const ballast = join(folder, 'ballast')
  const end = (): void => {
    process.off('exit', end)
    spawnSync('umount', ['-l', folder])
  }
  process.on('exit', end)
  return {
    way: `a file system of ${sizeMiB} MiB in memory, filled to the last byte`,
    canFill: true,
    fill: () => writeBallast(ballast),
    free: () => rmSync(ballast),
    end,
  }
}

const limitWay = (words: string): Pick<Disk, 'way' | 'canFill' | 'end'> => ({
  way: `no file system can be mounted here, so ${words}`,
  canFill: words.startsWith('a limit'),
  end: () => undefined,
})

const limit = (pid: number, bytes: string): void =>
  void execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])

/** `folder`: exists, and is empty. */
export function openDisk(folder: string): Disk {
  if (works('mount', '-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'none', folder)) return smallDisk(folder)
  if (works('prlimit', '--version'))
    return {
      ...limitWay('a limit on the size of its files (prlimit --fsize) refuses what the simulator writes'),
      fill: (pid) => limit(pid, '4096'),
      free: (pid) => limit(pid, 'unlimited'),
    }
  return {
    ...limitWay('the disk is never full: there is neither mount nor prlimit'),
    fill: () => undefined,
    free: () => undefined,
  }
}
