/** The policy of a session: where its lists are written, and an entry more in one of them. */
import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { isMap, isSeq, parseDocument, stringify, type Document } from 'yaml'
import type { WrittenWaiver } from '../../../spec/types/show.ts'
import { ConfigurationError } from '../../../suites/config/configuration-error.ts'
import { loadTarget } from '../../../suites/config/file/file.ts'
import { partOf } from '../../../suites/config/file/shape.ts'
import { entryProblems } from '../../../suites/policy/entries.ts'
import { loadPolicy } from '../../../suites/policy/file.ts'
import type { Day, Policy } from '../../../suites/policy/policy.ts'
import type { WaiverList } from '../../../suites/policy/waivers.ts'
import type { Io } from '../../io.ts'
import { RefusedRequest } from '../routes/refused-request.ts'
import { namedFile, readText, replaceText, type NamedFile } from './named-file.ts'

type Entry = Readonly<Record<string, string>>

export interface PolicyFile {
  path: string
  /** Throws a ConfigurationError for an entry that the policy does not allow, and a RefusedRequest. */
  add(list: WaiverList, entry: Entry, today: Day): WrittenWaiver
}

interface Place {
  file: NamedFile
  path: readonly string[]
}

interface PolicySource {
  /** Of `--policy`. */
  policy?: string | undefined
  /** The target file. */
  target?: string | undefined
  env: Io['env']
}

/** Null where neither is named, or the target file has no policy. */
export function policyFile({ policy, target, env }: PolicySource): PolicyFile | null {
  const named = policy ?? target
  if (named === undefined) return null
  const start = { file: namedFile(named), path: policy === undefined ? ['policy'] : [] }
  if (valueAt(start) === undefined) return null
  const whole = included(start)
  const list = (name: WaiverList): Place => ({ file: whole.file, path: [...whole.path, name] })
  const places: Readonly<Record<WaiverList, Place>> = {
    knownFailures: included(list('knownFailures')),
    flaky: list('flaky'),
    expectedNotExercised: list('expectedNotExercised'),
  }
  const current = (today: Day): Policy =>
    policy === undefined ? loadTarget(named, env).policy : loadPolicy(policy, today)
  return {
    path: whole.file.path,
    add(name, entry, today) {
      mustBeAllowed(name, entry, current(today), today)
      const { file, path } = places[name]
      const { text, digest } = readText(file)
      replaceText(file, withEntry(text, path, entry), digest)
      return { file: file.path, entry: stringify([entry]) }
    },
  }
}

/** An empty file is an empty policy. */
function valueAt({ file, path }: Place): unknown {
  const value = parseDocument(readFileSync(file.real, 'utf8')).toJS() as unknown
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null)?.[name], value)
}

/** The place itself, or the file that is named there. */
function included(place: Place): Place {
  const value = valueAt(place)
  if (typeof value !== 'string') return place
  const path = isAbsolute(value) ? value : join(dirname(place.file.path), value)
  return { file: namedFile(path), path: [] }
}

function mustBeAllowed(list: WaiverList, entry: Entry, policy: Policy, today: Day): void {
  const at = (): string => 'the entry'
  const shape = partOf('policy', { value: { [list]: [entry] }, at })
  if ('problems' in shape) throw new ConfigurationError(...shape.problems)
  const added: Policy = { ...policy, [list]: [...policy[list], entry] }
  const problems = entryProblems(added, today).map(({ path, words }) => `${path.join('.')} ${words}`)
  if (problems.length > 0) throw new ConfigurationError(...problems)
}

/** Entries of a list begin where its name does; there may be comments between them. */
const listsAtTheEdge = /^( *)[\w-]+:[^\n]*\n(?:\s*(?:#[^\n]*)?\n)*\1- /m

/** Everything else stays as it is written, comments and order included. */
function withEntry(text: string, path: readonly string[], entry: Entry): string {
  const document: Document = parseDocument(text)
  if (document.errors.length > 0)
    throw new RefusedRequest(422, 'The policy is not YAML: correct it in an editor.')
  const list = path.length === 0 ? document.contents : document.getIn(path)
  if (isSeq(list)) {
    if (list.items.length === 0) list.flow = false
    list.add(document.createNode(entry))
  } else if (path.length === 0) document.contents = document.createNode([entry])
  else {
    const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1))
    if (isMap(parent) && parent.items.length === 0) parent.flow = false
    document.setIn(path, document.createNode([entry]))
  }
  return document.toString({ lineWidth: 0, indentSeq: !listsAtTheEdge.test(text) })
}
