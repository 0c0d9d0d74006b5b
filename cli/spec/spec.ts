/** Writes the documents to a folder. */
import asyncapi from '../../spec/bundled/asyncapi.json' with { type: 'json' }
import openapi from '../../spec/bundled/openapi.json' with { type: 'json' }
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf } from '../values.ts'
import { identifiersFrom, type VendorCommandOptions } from '../vendor.ts'
import type { Identifiers } from '../../spec/identifiers.ts'
import { renameIdentifiers } from '../../spec/rename-identifiers.ts'

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

/** The extension at the root of a document that names the program that wrote it. */
const mark = 'x-generated-by'

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

/** A document, or any object inside one. */
type DocumentTree = { readonly [member: string]: unknown }

const sources = { openapi, asyncapi } as const satisfies Record<string, DocumentTree>
type SpecDocumentName = keyof typeof sources

/** Each document with the mark after its version. */
function documentsWith(identifiers: Identifiers, writer: string): Record<SpecDocumentName, DocumentTree> {
  const marked = (source: DocumentTree): DocumentTree => {
    const [version, ...rest] = Object.entries(renameIdentifiers(source, identifiers) as DocumentTree)
    return Object.fromEntries([...(version ? [version] : []), [mark, writer], ...rest])
  }
  return { openapi: marked(openapi), asyncapi: marked(asyncapi) }
}
