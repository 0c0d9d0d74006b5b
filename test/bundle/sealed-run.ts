/** One small signed run, made once, and copies of it that a test may alter. */
import { reportFiles } from '../../reports/index.ts'
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../cli/process.testkit.ts'
import { sealFolder } from '../../bundle/seal/manifest.ts'
import { signerFrom } from '../../cli/seal/signer.ts'
import { filesBelow } from '../../bundle/seal/digest.ts'
import type { RunRecord } from '../../bundle/record.ts'

export const publicHalf = (key: string): string => key.replace('.pem', '.pub.pem')

export interface SealedRun {
  /** Everything here goes with `remove`. */
  root: string
  path: string
  /** What it was signed with. */
  key: string
  /** All that was printed on the way. */
  printed: string
  copy(): Copy
  remove(): void
}

/** With bodies in files of their own, a failure and its counterexample. */
export async function sealedRun(): Promise<SealedRun> {
  const root = mkdtempSync(join(tmpdir(), 'touchstone-seal-'))
  const [path, key, otherKey] = [join(root, 'run'), join(root, 'key.pem'), join(root, 'other.pem')]
  const only = ['--only', 'CHAT-REQUEST-*', '--only', 'idempotency-replay/json/*']
  const check = ['check', 'simulator', '--fault', 'replay-unmarked', '--seed', '1', ...only]
  const steps = [
    ['keygen', '--out', key],
    ['keygen', '--out', otherKey],
    [...check, '--sign-key', `file:${key}`, '--out', path],
  ]
  let printed = ''
  for (const step of steps) {
    const { code, out, err } = await run(step)
    printed += out + err
    if (code > 1) throw new Error(`${step[0]} ended with ${code}: ${err}`)
  }
  const keys = { own: key, other: otherKey }
  const copy = (): Copy => new Copy(path, mkdtempSync(join(root, 'copy-')), keys)
  return { root, path, key, printed, copy, remove: () => rmSync(root, { recursive: true }) }
}

export class Copy {
  readonly path: string
  readonly #from: string
  readonly keys: { own: string; other: string }

  constructor(from: string, path: string, keys: Copy['keys']) {
    cpSync(from, path, { recursive: true })
    this.path = path
    this.#from = from
    this.keys = keys
  }

  restore(file: string): void {
    cpSync(join(this.#from, file), join(this.path, file))
  }

  read(file: string): string {
    return readFileSync(join(this.path, file), 'utf8')
  }

  write(file: string, content: string | Uint8Array): void {
    writeFileSync(join(this.path, file), content)
  }

  change(file: string, change: (text: string) => string): void {
    const before = this.read(file)
    const after = change(before)
    if (after === before) throw new Error(`${file} is as before`)
    this.write(file, after)
  }

  /** `change` gets the files are those that a run wrote. */
  json(file: string, change: (value: never) => object): void {
    this.change(file, (text) => `${JSON.stringify(change(JSON.parse(text) as never), null, 2)}\n`)
  }

  remove(...files: readonly string[]): void {
    for (const file of files) rmSync(join(this.path, file))
  }

  /** As somebody with this key, or with none, would close it again. */
  seal(key?: string): void {
    const record = JSON.parse(this.read('run.json')) as RunRecord
    sealFolder(this.path, record, signerFrom(key === undefined ? undefined : `file:${key}`, {}), reportFiles)
  }

  /** As if the run had been signed with this key. */
  sealAs(key: string): void {
    const keyid = signerFrom(`file:${key}`, {})?.keyid
    this.json('run.json', (record: object) => ({ ...record, signing: { keyid } }))
    this.seal(key)
  }

  files(): readonly string[] {
    return filesBelow(this.path).map(({ path }) => path)
  }

  /** A body that lies in a file of its own. */
  evidence(): string {
    const [name = 'none'] = readdirSync(join(this.path, 'evidence')).sort()
    return `evidence/${name}`
  }
}
