/** `touchstone judge`: holds what others recorded against the contract. */
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { createRedactor } from '../../bundle/redaction/redaction.ts'
import type { Target } from '../../suites/config/target.ts'
import { emptyPolicy } from '../../suites/policy/policy.ts'
import { runTraffic, type Traffic } from '../../suites/runner/drivers/traffic.ts'
import { entriesOf, NoArchive, type Entry } from '../../suites/traffic/har.ts'
import { baseOf, createPrincipals, isDelivery, trafficScenario } from '../../suites/traffic/service.ts'
import type { Exchange } from '../../suites/wire/exchange.ts'
import { judgedRun, policyAt } from '../check/judged-run.ts'
import { vendorOf } from '../check/target.ts'
import type { CommandAnswer } from '../command.ts'
import type { JudgeOptions } from '../commands/options.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { readBundle } from '../rejudge/read-bundle.ts'
import { UsageError } from '../usage-error.ts'
import { baseUrlOption, secret } from '../values.ts'

export async function judgeFiles(
  files: readonly string[],
  options: JudgeOptions,
  io: Io,
): Promise<CommandAnswer> {
  const about = await aboutTraffic(options, io)
  const entries = files.flatMap(entriesIn).toSorted((one, other) => one.sentAt - other.sentAt)
  const bases = options.baseUrl?.map(baseUrlOption) ?? oneBase(entries)
  const principals = createPrincipals(about.keys)
  const exchanges = exchangesOf(entries, bases, principals.of, about.traffic)
  const seen = exchanges.length === 1 ? '1 exchange' : `${exchanges.length} exchanges`
  if (exchanges.length === 0)
    return {
      exitCode: exitCodes.unreachable,
      note: `None of ${entries.length} exchanges in ${files.join(', ')} belongs to the service; name its address with --base-url.\n`,
    }
  const secrets = [...about.secrets, ...exchanges.flatMap((one) => principals.secretsIn(one))]
  return judgedRun(options, 'traffic', io, () => ({
    basis: { ...about.traffic, kind: 'traffic' },
    redactor: createRedactor(secrets),
    notes: [`${seen} of ${entries.length} in the recording are with the service.`],
    run: (deps) =>
      runTraffic(
        {
          ...about.traffic,
          name: files.map((file) => basename(file)).join(', '),
          baseUrl: bases[0] ?? 'none',
          async from(add) {
            for (const one of exchanges) add(one)
          },
        },
        deps,
      ),
  }))
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
    ...vendorOf(options),
  }
  const keys = new Map(own?.principals.map(({ bearer, name }) => [bearer, name]) ?? [])
  const named = secrets.map((value) => ({ name: 'webhook-secret', value }))
  return {
    traffic,
    keys,
    tls: own?.tls,
    secrets: [...named, ...[...keys].map(([value, name]) => ({ name: `key:${name}`, value }))],
  }
}

/** Of a HAR file, or of the folder of a run. Throws a UsageError. */
function entriesIn(file: string): readonly Entry[] {
  const is = statSync(file, { throwIfNoEntry: false })
  if (!is) throw new UsageError(`${file} does not exist: name a HAR file, or the folder of a run.`)
  if (is.isDirectory()) return inFolder(file)
  try {
    return [...entriesOf(file)]
  } catch (error) {
    if (error instanceof NoArchive) throw new UsageError(error.message)
    throw error
  }
}

function inFolder(folder: string): readonly Entry[] {
  const { run } = readBundle(folder)
  const {
    target,
    run: { startedAt },
  } = run.record
  const began = Date.parse(startedAt)
  return run.journal.map(({ id: _, scenario: __, name: ___, ...one }) => ({
    ...one,
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

function oneBase(entries: readonly Entry[]): readonly string[] {
  const bases = [...new Set(entries.flatMap((one) => baseOf(one) ?? []))]
  if (bases.length < 2) return bases
  throw new UsageError(
    `the recording has several services (${bases.slice(0, 5).join(', ')}): name one with --base-url, or several of one deployment with one for each.`,
  )
}

/** With times that count from the first of them; those of other services are left out. */
function exchangesOf(
  entries: readonly Entry[],
  bases: readonly string[],
  principalOf: (one: Entry) => string | null,
  about: Pick<Traffic, 'identifiers'>,
): readonly Exchange[] {
  const own = entries.flatMap((entry) => {
    const whole = `${entry.url.origin}${entry.url.pathname}${entry.url.search}`
    const at = bases.findIndex((base) => whole.startsWith(`${base.replace(/\/$/, '')}/`))
    const base = at < 0 ? null : (bases[at] ?? '').replace(/\/$/, '')
    return base !== null || isDelivery(entry, about)
      ? [{ entry, at, path: base === null ? entry.request.path : whole.slice(base.length) }]
      : []
  })
  const began = own[0]?.entry.sentAt ?? 0
  return own.map(({ entry: { url: _, ...entry }, at, path }, index) => {
    const isInbound = entry.inbound !== undefined || isDelivery(entry, about)
    const { response } = entry
    return {
      ...entry,
      id: index + 1,
      scenario: trafficScenario,
      name: `${entry.request.method} ${path.split('?', 1)[0]}`.slice(0, 200),
      request: {
        ...entry.request,
        path,
        principal: entry.request.principal ?? principalOf({ ...entry, url: _ }),
        ...(at > 0 && { replica: bases[at] }),
      },
      sentAt: entry.sentAt - began,
      endedAt: entry.endedAt - began,
      response: response && {
        ...response,
        at: response.at - began,
        chunks: response.chunks.map((chunk) => ({ ...chunk, at: chunk.at - began })),
      },
      ...(isInbound && { inbound: entry.inbound ?? { place: path, targetAt: entry.sentAt - began } }),
    } as Exchange
  })
}
