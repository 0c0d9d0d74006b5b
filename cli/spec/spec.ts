/** Writes the documents to a folder. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import { identifiersFrom } from '../vendor.ts'
import type { VendorCommandOptions } from '../vendor.ts'
import { documentsWith, mark, type DocumentTree } from './documents.ts'

export interface SpecOptions extends VendorCommandOptions {
  out: string
  force?: true
}

const formats: Readonly<Record<string, (document: DocumentTree) => string>> = {
  yaml: (document) => stringify(document, { lineWidth: 110 }),
  json: (document) => `${JSON.stringify(document, null, 2)}\n`,
}

/** Returns the exit code. Throws a UsageError before a file of another origin is replaced. */
export function spec(options: SpecOptions, io: Io): number {
  const { out, force = false, vendor } = options
  const writer = ['touchstone spec', ...(vendor === undefined ? [] : ['--vendor', vendor])].join(' ')
  const files = Object.entries(documentsWith(identifiersFrom(options), writer)).flatMap(([name, document]) =>
    Object.entries(formats).map(([ending, format]) => ({
      path: join(out, `${name}.${ending}`),
      text: format(document),
    })),
  )
  const foreign = force ? undefined : files.find(({ path }) => isForeign(path))
  if (foreign)
    throw new UsageError(
      `--out ${out}: touchstone spec did not write ${foreign.path}; give another folder, or replace it with --force.`,
    )
  write(out, files)
  io.out(files.map(({ path }) => `${path}\n`).join(''))
  return exitCodes.ok
}

const ours = new RegExp(`^ *["']?${mark}["']?: ["']?touchstone spec\\b`, 'm')

function isForeign(path: string): boolean {
  try {
    return !ours.test(readFileSync(path, 'utf8'))
  } catch (error) {
    return codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR'
  }
}

function write(out: string, files: readonly { path: string; text: string }[]): void {
  try {
    mkdirSync(out, { recursive: true })
    for (const { path, text } of files) writeFileSync(path, text)
  } catch (error) {
    throw new UsageError(`--out ${out}: cannot be written (${codeOf(error)}); give another folder.`)
  }
}
