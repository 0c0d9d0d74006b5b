/** Defects that were found: each kind once, with its smallest input, as files that replay it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FuzzMessage } from './worker.ts'

type Found = Extract<FuzzMessage, { is: 'defect' }>

export interface Finding {
  surface: string
  seed: number
  /** Number of the input under this seed. */
  number: number
  /** How many inputs showed it. */
  times: number
  message: string
  replay: string
  base64: string
}

/** The message without what differs from one input to the next, and where in our code it was thrown. */
function kindOf({ surface, message }: Found): string {
  const [first = ''] = message.split('\n')
  const frame = /\((?:file:\/\/)?[^)]*?\/((?!node_modules|node:)[\w./-]+\.ts:\d+):\d+\)/.exec(message)?.[1]
  return `${surface} ${frame ?? first.replaceAll(/"[^"]*"|\d+/g, '*').slice(0, 120)}`
}

export interface Findings {
  add(found: Found): void
  readonly count: number
  /** Writes them to the folder; gives a line for each. */
  write(folder: string): readonly string[]
}

export function createFindings(seed: number): Findings {
  const kinds = new Map<string, { smallest: Found; times: number }>()
  return {
    add(found) {
      const known = kinds.get(kindOf(found))
      const smallest = known && known.smallest.input.length <= found.input.length ? known.smallest : found
      kinds.set(kindOf(found), { smallest, times: (known?.times ?? 0) + 1 })
    },
    get count() {
      return kinds.size
    },
    write(folder) {
      if (kinds.size > 0) mkdirSync(folder, { recursive: true })
      return [...kinds.values()].map(({ smallest, times }, at) => {
        const { surface, number, input, message } = smallest
        const file = join(folder, `${surface}-${at + 1}.json`)
        const replay = `npm run lab -- fuzz --replay ${file}`
        const base64 = Buffer.from(input).toString('base64')
        const finding: Finding = { surface, seed, number, times, message, replay, base64 }
        writeFileSync(file, `${JSON.stringify(finding, null, 2)}\n`)
        return `${surface}: ${message.split('\n').slice(0, 3).join(' ').slice(0, 400)}\n  ${times} times; ${replay}`
      })
    },
  }
}

export function readFinding(file: string): { surface: string; input: Uint8Array } {
  const { surface, base64 } = JSON.parse(readFileSync(file, 'utf8')) as Finding
  return { surface, input: new Uint8Array(Buffer.from(base64, 'base64')) }
}
