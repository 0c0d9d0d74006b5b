/** A thread that reads and hashes the bodies of a run, in the order of its journal. */
import { join } from 'node:path'
import { workerData } from 'node:worker_threads'
import { readPlainInPassing } from '../folder/plain-file.ts'
import { costInBody } from '../journal/cost-in-body.ts'
import { eachLine } from '../journal/lines.ts'
import { sha256 } from '../seal/digest.ts'
import { bodyTable, type CheckedBody, type SharedBodies } from './table.ts'

export interface BodyWork {
  journal: string
  /** Where the bodies are. */
  folder: string
  bodies: SharedBodies
}

const { journal, folder, bodies } = workerData as BodyWork
const table = bodyTable(bodies)

/** How a line speaks of a body. It may say so otherwise: then the body is read where the line is parsed. */
const mention = '"evidence":"'
const hexDigits = 64
/** Bytes of the largest body that is read here. */
const most = 4 << 20

function check(digest: string): CheckedBody | null {
  try {
    const body = readPlainInPassing(join(folder, digest), most)
    return sha256(body) === digest ? { size: body.length, cost: costInBody(body, true) } : null
  } catch {
    // It is read again where the line is parsed, which says what is wrong with it.
    return null
  }
}

eachLine(journal, ({ bytes }) => {
  for (let at = bytes.indexOf(mention); at !== -1; at = bytes.indexOf(mention, at)) {
    at += mention.length
    const digest = bytes.toString('latin1', at, at + hexDigits)
    table.fill(digest, () => check(digest))
  }
})
