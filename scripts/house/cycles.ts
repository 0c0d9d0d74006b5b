/** Groups of modules that import one another, imports of types included. */
import { dirname, posix } from 'node:path'
import ts from 'typescript'
import type { Source } from './sources.ts'

function importsOf({ path, text }: Source): string[] {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => posix.join(dirname(path), fileName))
}

/** Strongly connected components with more than one module, largest first (Tarjan). */
export function cycles(files: readonly Source[]): readonly (readonly string[])[] {
  const graph = new Map(files.map((file) => [file.path, importsOf(file)]))
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const found: string[][] = []
  const visit = (path: string): void => {
    order.set(path, order.size)
    low.set(path, order.size - 1)
    open.push(path)
    for (const next of graph.get(path) ?? []) {
      if (!graph.has(next)) continue
      if (!order.has(next)) visit(next)
      if (open.includes(next)) low.set(path, Math.min(low.get(path) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(path) !== order.get(path)) return
    const group = open.splice(open.indexOf(path))
    if (group.length > 1) found.push(group)
  }
  for (const path of graph.keys()) if (!order.has(path)) visit(path)
  return found.sort((one, other) => other.length - one.length)
}
