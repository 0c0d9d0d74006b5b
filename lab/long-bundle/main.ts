/**
 * `npm run lab -- long-bundle` writes a run of 50,000 exchanges with 2 GB of bodies and measures what each command
 * that reads it takes, in a process of its own.
 *
 *   --exchanges N   how many exchanges
 *   --bytes N       bytes of their bodies
 *   --only NAME     only this command; may be repeated
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { filesBelow } from '../../reports/bundle/seal/walk.ts'
import { optionsOf, whole } from '../../test/options.ts'
import { measured, type Measured } from './measured.ts'
import { visitRun } from './visit.ts'

const { values } = optionsOf({
  options: {
    exchanges: { type: 'string', default: '50000' },
    bytes: { type: 'string', default: '2000000000' },
    only: { type: 'string', multiple: true },
  },
})
const bytes = whole('bytes', values.bytes)
/** Peak memory of each command, and how fast a bundle is verified. */
const limit = { peakMiB: 300, bytesPerSecond: 200e6 }

const root = mkdtempSync(join(tmpdir(), 'touchstone-long-bundle-'))
const place = (name: string): string => join(root, name)
const [seed, long, key] = [place('seed'), place('long'), place('key.pem')]
const publicKey = place('key.pub.pem')
const cli = join(import.meta.dirname, '../../cli/bin.ts')

/** By name, in this order: words of the command line, and the exit codes of one that did its work. */
const commands: Readonly<Record<string, readonly string[]>> = {
  verify: ['verify', long, '--key', publicKey],
  'verify --rejudge': ['verify', long, '--key', publicKey, '--rejudge'],
  rejudge: ['rejudge', long],
  'rejudge --out': ['rejudge', long, '--out', place('again')],
  report: ['report', long],
  'report --out': ['report', long, '--out', place('reports')],
  diff: ['diff', seed, long],
  certify: ['certify', long, '--key', publicKey, '--out', place('statement'), '--no-pdf', '--allow-partial'],
  show: ['show', long, '--no-open', '--json'],
}

function row(name: string, { code, peakMiB, seconds, said }: Measured, more = ''): void {
  const trouble = [
    code === 0 ? '' : `exit code ${code}: ${said}`,
    peakMiB <= limit.peakMiB ? '' : `more than ${limit.peakMiB} MiB`,
  ].filter((one) => one !== '')
  if (trouble.length > 0) process.exitCode = 1
  const figures = `${peakMiB.toFixed(0).padStart(6)} MiB ${seconds.toFixed(1).padStart(7)} s`
  console.log(`${name.padEnd(18)}${figures}  ${[more, ...trouble].filter((one) => one !== '').join('; ')}`)
}

/** Seconds that openssl takes for the digests of all files. */
function secondsOfDigests(): number {
  const began = performance.now()
  const find = ['-type', 'f', '-exec', 'openssl', 'dgst', '-sha256', '{}', '+']
  execFileSync('find', [long, ...find], { stdio: ['ignore', 'ignore', 'inherit'] })
  return (performance.now() - began) / 1000
}

try {
  const checked = await measured(cli, ['check', 'simulator', '--seed', '1', '--quiet', '--out', seed])
  if (checked.code !== 0) throw new Error(`the short run ended with ${checked.code}: ${checked.said}`)
  await measured(cli, ['keygen', '--out', key])
  const writer = join(import.meta.dirname, 'write.ts')
  row('write', await measured(writer, [seed, long, `file:${key}`, values.exchanges, values.bytes]))
  if (!existsSync(long)) throw new Error('nothing was written')
  const files = filesBelow(long).length
  const size = Number(execFileSync('du', ['-sb', long]).toString().split('\t')[0])
  const digests = secondsOfDigests()
  console.log(`${files} files, ${(size / 1e6).toFixed(0)} MB; openssl dgst: ${digests.toFixed(1)} s`)
  for (const [name, words] of Object.entries(commands)) {
    if (values.only && !values.only.includes(name)) continue
    const found = await measured(cli, words, name === 'show' ? visitRun : undefined)
    const rate = size / found.seconds
    const isVerify = name.startsWith('verify')
    row(
      name,
      found,
      isVerify
        ? `${(rate / 1e6).toFixed(0)} MB/s, ${(found.seconds / digests).toFixed(1)} × openssl dgst`
        : '',
    )
    if (name === 'verify' && bytes >= 1e9 && rate < limit.bytesPerSecond) {
      console.log(`verify is slower than ${limit.bytesPerSecond / 1e6} MB/s`)
      process.exitCode = 1
    }
  }
} finally {
  rmSync(root, { recursive: true, force: true })
}
