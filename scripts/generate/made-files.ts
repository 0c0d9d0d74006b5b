/** The generated files that are not in git. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export const madeFiles: readonly string[] = [
  ...['openapi', 'asyncapi', 'control'].flatMap((name) => [
    `spec/types/${name}.ts`,
    `spec/bundled/${name}.json`,
  ]),
  'spec/control-protocol.yaml',
  'client/catalogue/operations.ts',
]

/** Whoever reads the file meanwhile finds all of it or the old one. */
export function writeWhole(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.${process.pid}`, text)
  renameSync(`${path}.${process.pid}`, path)
}
