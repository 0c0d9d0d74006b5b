/** What this is: the package in its package.json, two folders up in the sources and three in the package, and the contract. */
import { readFileSync } from 'node:fs'
import { embeddedCatalogue } from '../catalogue/operations.ts'

export function versionWords(): string {
  const { contract, operations } = embeddedCatalogue
  return `${packageVersion()}, contract ${contract} with ${Object.keys(operations).length} operations`
}

function packageVersion(): string {
  for (const path of ['../../package.json', '../../../package.json']) {
    const found = versionIn(new URL(path, import.meta.url))
    if (found !== undefined) return found
  }
  return 'unknown'
}

function versionIn(file: URL): string | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const named = typeof read === 'object' && read !== null && 'version' in read ? read.version : undefined
    return typeof named === 'string' ? named : undefined
  } catch {
    return undefined
  }
}
