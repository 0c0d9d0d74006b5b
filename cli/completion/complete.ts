/**
 * Candidates for the last word of a command line. A shell asks at every press of the key, so this loads one file of the
 * package. Written by hand: @bomb.sh/tab never completes file names, and its bash script needs another package.
 */
import { readFileSync } from 'node:fs'

import { candidates, type Candidate, type CommandNode, type CompletionTable } from './candidates.ts'

/** The table of the package; a clone has none and makes it. */
async function tableIn(file: string): Promise<CompletionTable> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    const { completionTable } = await import('./table.ts')
    return completionTable()
  }
  // Most of it are names of other kinds, which need not be parsed.
  const [root = '', ...lists] = text.split('\n')
  const names = (kind: string): readonly Candidate[] => {
    const list = lists.find((line) => line.startsWith(`${kind} `)) ?? ''
    return JSON.parse(list.slice(kind.length)) as readonly Candidate[]
  }
  return { root: JSON.parse(root) as CommandNode, names }
}

/** Lines of a word, a tab and a description; none where the shell is to complete file names. */
export async function completionLines(words: readonly string[], file: string): Promise<string> {
  const found = candidates(words, await tableIn(file))
  return found.map(([word, description]) => `${word}\t${description}\n`).join('')
}
