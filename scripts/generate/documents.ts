/** The three documents of spec/, each bundled into one object by redocly. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const documents = ['openapi', 'asyncapi'] as const
export type DocumentName = (typeof documents)[number]

/** A bundled document, or any object inside one. */
export type Tree = { [member: string]: unknown }

const redocly = 'node_modules/@redocly/cli/bin/cli.js'
const quiet = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
const source = (name: DocumentName): string => `spec/${name}.yaml`

/** Lints the documents and prints what redocly finds. Returns whether they are clean. */
export function lint(): boolean {
  try {
    execFileSync(process.execPath, [redocly, 'lint', ...documents.map(source)], { env: quiet, stdio: 'pipe' })
    return true
  } catch (error) {
    const { stdout, stderr } = error as { stdout: Buffer; stderr: Buffer }
    process.stderr.write(`${stderr.toString()}${stdout.toString()}`)
    return false
  }
}

/** Bundles one document: references into spec/schemas become references into its own components. */
export function bundle(name: DocumentName): Tree {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'))
  try {
    const out = join(folder, `${name}.json`)
    execFileSync(process.execPath, [redocly, 'bundle', source(name), '-o', out], {
      env: quiet,
      stdio: 'pipe',
    })
    return JSON.parse(readFileSync(out, 'utf8')) as Tree
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
