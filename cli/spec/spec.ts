/** Writes the documents to a folder. */
import asyncapi from '../../spec/bundled/asyncapi.json' with { type: 'json' }
import openapi from '../../spec/bundled/openapi.json' with { type: 'json' }
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { CommandAnswer } from '../command.ts'
import type { SpecOptions } from '../commands/options.ts'
import { UsageError } from '../usage-error.ts'
import { codeOf, systemReason } from '../values.ts'
import { identifiersFrom } from '../options.ts'
import { renameIdentifiers } from '../../spec/rename-identifiers.ts'

const formats: Readonly<Record<string, (document: DocumentTree) => string>> = {
  yaml: (document) => stringify(document, { lineWidth: 110 }),
  json: (document) => `${JSON.stringify(document, null, 2)}\n`,
}

export function spec(options: SpecOptions): CommandAnswer {
  const { out, force = false, vendor } = options
  const writer = `touchstone spec${vendor === undefined ? '' : ` --vendor ${vendor}`}`
  const identifiers = identifiersFrom(options)
  const files = Object.entries({ openapi, asyncapi }).flatMap(([name, source]) => {
    const [version = ['', ''], ...rest] = Object.entries(
      renameIdentifiers(source, identifiers) as DocumentTree,
    )
    const document = Object.fromEntries([version, [mark, writer], ...rest])
    return Object.entries(formats).map(([ending, format]) => ({
      path: join(out, `${name}.${ending}`),
      text: format(document),
    }))
  })
  const foreign = force ? undefined : files.find(({ path }) => isForeign(path))
  if (foreign)
    throw new UsageError(
      `--out ${out}: touchstone spec did not write ${foreign.path}; give another folder, or replace it with --force.`,
    )
  try {
    mkdirSync(out, { recursive: true })
    for (const { path, text } of files) writeFileSync(path, text)
  } catch (error) {
    throw new UsageError(`--out ${out}: cannot be written (${systemReason(error)}); give another folder.`)
  }
  return { text: files.map(({ path }) => `${path}\n`).join('') }
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

/** A document, or any object inside one. */
type DocumentTree = { readonly [member: string]: unknown }
