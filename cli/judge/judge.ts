/** `touchstone judge`: holds what others recorded against the contract. */
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { sharedText } from '../../bundle/chunks.ts'
import { createRedactor, type Secret } from '../../bundle/redaction/redaction.ts'
import type { Target } from '../../suites/config/target.ts'
import { emptyPolicy } from '../../suites/policy/policy.ts'
import { runTraffic, type Traffic } from '../../suites/runner/drivers/traffic.ts'
import { entriesInArchive, NoArchive, type ArchiveEntry } from '../../suites/traffic/har.ts'
import {
  baseOf,
  createPrincipals,
  hasDeliveryId,
  suiteMark,
  trafficScenario,
} from '../../suites/traffic/service.ts'
import type { Exchange } from '../../suites/wire/exchange.ts'
import { judgedRun, policyAt } from '../check/judged-run.ts'
import { vendorOf } from '../check/target.ts'
import type { CommandAnswer } from '../command.ts'
import type { JudgeOptions } from '../commands/options.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { mustNotReplace } from '../out-file.ts'
import { readBundle } from '../rejudge/read-bundle.ts'
import { UsageError } from '../usage-error.ts'
import { baseUrlOption, secret } from '../values.ts'

export async function judgeFiles(
  files: readonly string[],
  options: JudgeOptions,
  io: Io,
): Promise<CommandAnswer> {
  mustNotReplace(options.out, files)
  const about = await aboutTraffic(options, io)
  const { exchanges, own, all, bases, secrets, ofSuite } = recordedIn(files, options, about)
  const words = files.join(', ')
  if (own === 0)
    return {
      exitCode: exitCodes.unreachable,
      note: `None of ${all} exchanges in ${words} belongs to the service; name its address with --base-url.\n`,
    }
  const name = files.map((file) => basename(file)).join(', ')
  return judgedRun(options, 'traffic', io, () => ({
    basis: { ...about.traffic, kind: 'traffic' },
    redactor: createRedactor([...about.secrets, ...secrets]),
    notes: [`${own} of ${all} exchanges in ${words} are with the service.`],
    run: (deps) => {
      const from = async (add: (exchange: Exchange) => unknown): Promise<void> => {
        for (const one of exchanges()) add(one)
      }
      return runTraffic({ ...about.traffic, name, baseUrl: bases[0] ?? 'none', ofSuite, from }, deps)
    },
  }))
}

type About = Awaited<ReturnType<typeof aboutTraffic>>

/** Reads the files twice: a recording may be large, and every key in it is redacted from its first exchange on. */
function recordedIn(files: readonly string[], { baseUrl }: JudgeOptions, { keys, traffic }: About) {
  const given = baseUrl?.map((one) => baseUrlOption(one))
  const principals = createPrincipals(keys)
  const found = new Set<string>()
  const secrets = new Map<string, Secret>()
  const times: number[] = []
  const ofSuite = new Set<'requests' | 'deliveries'>()
  let all = 0
  let below = 0
  for (const entry of entriesIn(files)) {
    all++
    if (entry.cameIn && baseOf(entry) !== null && !hasDeliveryId(entry, traffic))
      throw new UsageError(
        'the recording is of a run of `touchstone client`, which judges its client: read the report of that run.',
      )
    const base = given ? null : baseOf(entry)
    if (base !== null) found.add(base)
    const isBelow = given ? placeBelow(entry, given) !== null : base !== null
    if (!isBelow && !hasDeliveryId(entry, traffic)) continue
    if (isBelow || !given) below++
    times.push(entry.sentAt)
    if (suiteMark(entry)) ofSuite.add(hasDeliveryId(entry, traffic) ? 'deliveries' : 'requests')
    principals.of(entry)
    for (const one of principals.secretsIn(entry)) secrets.set(one.value, one)
  }
  if (!given && found.size > 1)
    throw new UsageError(
      `the recording has several services (${[...found].slice(0, 5).join(', ')}): name one with --base-url, or several of one deployment with one for each.`,
    )
  const bases = given ?? [...found]
  const began = times.reduce((least, at) => Math.min(least, at), Infinity)
  const order = Int32Array.from(times, (_, at) => at).sort(
    (one, other) => (times[one] ?? 0) - (times[other] ?? 0) || one - other,
  )
  const ids = new Int32Array(times.length)
  for (const [rank, at] of order.entries()) ids[at] = rank + 1
  function* exchanges(): Generator<Exchange> {
    let at = 0
    for (const entry of entriesIn(files)) {
      const place = placeIn(entry, bases, traffic)
      if (place !== null)
        yield exchangeOf(entry, place, { id: ids[at++] ?? 0, began, principal: principals.of(entry) })
    }
  }
  return { exchanges, own: below === 0 ? 0 : times.length, all, bases, secrets: secrets.values(), ofSuite }
}

/** What is known of the service, and the secrets that it takes to know it. */
export async function aboutTraffic(
  { target, policy, secret: given = [], ...options }: JudgeOptions,
  { env }: Io,
) {
  const own: Target | null =
    target === undefined ? null : (await import('../../suites/config/file/file.ts')).loadTarget(target, env)
  const secrets = given.map((reference) => secret('--secret', reference, env))
  const traffic: Omit<Traffic, 'from' | 'name' | 'baseUrl'> = {
    dialect: own?.dialect ?? {},
    policy: policyAt(policy, own?.policy ?? emptyPolicy),
    exclusiveCredits: own?.exclusiveCredits ?? false,
    secrets,
    ...(own?.vendor && { vendor: own.vendor }),
    ...(own?.identifiers && { identifiers: own.identifiers }),
    ...(own?.requestIdHeader && { requestIdHeader: own.requestIdHeader }),
    ...vendorOf(options),
  }
  const keys = new Map(own?.principals.map(({ bearer, name }) => [bearer, name]) ?? [])
  const named = secrets.map((value) => ({ name: 'webhook-secret', value }))
  return {
    traffic,
    keys,
    tls: own?.tls,
    trace: own?.trace ?? true,
    secrets: [...named, ...[...keys].map(([value, name]) => ({ name: `key:${name}`, value }))],
  }
}

/** Of HAR files and folders of runs. Throws a UsageError. */
function* entriesIn(files: readonly string[]): Generator<ArchiveEntry> {
  for (const file of files) {
    const is = statSync(file, { throwIfNoEntry: false })
    if (!is) throw new UsageError(`${file} does not exist: name a HAR file, or the folder of a run.`)
    if (!is.isFile() && !is.isDirectory())
      throw new UsageError(`${file} is no plain file: name a HAR file, or the folder of a run.`)
    try {
      yield* is.isDirectory() ? inFolder(file, files.length > 1) : entriesInArchive(file)
    } catch (error) {
      if (error instanceof NoArchive) throw new UsageError(error.message)
      throw error
    }
  }
}

/** Beside others the name of a key says of which: the first key of each proxy is `key-1`. */
function inFolder(folder: string, beside: boolean): readonly ArchiveEntry[] {
  const { run } = readBundle(folder)
  const { target, run: about } = run.record
  const began = Date.parse(about.startedAt)
  const of = beside ? ` of ${folder}` : ''
  return run.journal.map((one) => ({
    ...one,
    cameIn: one.inbound !== undefined,
    request: { ...one.request, principal: one.request.principal && `${one.request.principal}${of}` },
    url: new URL(`${target.baseUrl.replace(/\/$/, '')}${one.request.path}`),
    sentAt: began + one.sentAt,
    endedAt: began + one.endedAt,
    response: one.response && {
      ...one.response,
      at: began + one.response.at,
      chunks: one.response.chunks.map((chunk) => ({ ...chunk, at: began + chunk.at })),
    },
  }))
}

interface Place {
  path: string
  replica: string | null
}

/** Below which address it was sent; null for what is of another service. A delivery may go to any address. */
const placeIn = (
  entry: ArchiveEntry,
  bases: readonly string[],
  about: Pick<Traffic, 'identifiers'>,
): Place | null =>
  placeBelow(entry, bases) ??
  (hasDeliveryId(entry, about) ? { path: entry.request.path, replica: null } : null)

function placeBelow(entry: ArchiveEntry, bases: readonly string[]): Place | null {
  const whole = `${entry.url.origin}${entry.url.pathname}${entry.url.search}`
  for (const [at, given] of bases.entries()) {
    const base = given.replace(/\/$/, '')
    if (whole.startsWith(`${base}/`))
      return { path: whole.slice(base.length), replica: at > 0 ? given : null }
  }
  return null
}

/** With times that count from the first of them. */
function exchangeOf(
  given: ArchiveEntry,
  { path, replica }: Place,
  { id, began, principal }: { id: number; began: number; principal: string | null },
): Exchange {
  const { url: _url, cameIn: _cameIn, ...entry } = given
  const { request, response } = entry
  const sentAt = entry.sentAt - began
  const isDelivered = hasDeliveryId(entry, entry)
  return {
    ...entry,
    id,
    scenario: trafficScenario,
    name: sharedText(`${suiteMark(given)}${request.method} ${path.split('?', 1)[0]}`.slice(0, 200)),
    request: {
      ...request,
      path,
      principal,
      ...(replica !== null && { replica }),
    },
    sentAt,
    endedAt: entry.endedAt - began,
    response: response && {
      ...response,
      at: response.at - began,
      chunks: response.chunks.map((chunk) => ({ ...chunk, at: chunk.at - began })),
    },
    ...(isDelivered && { inbound: entry.inbound ?? { place: path, targetAt: sentAt } }),
  }
}
