/** `touchstone proxy`: forwards to a service or a receiver, records what passes, and judges it. */
import { randomUUID } from 'node:crypto'
import type { Dialect } from '../../suites/config/dialect.ts'
import { createRedactor } from '../../bundle/redaction/redaction.ts'
import { runTraffic } from '../../suites/runner/drivers/traffic.ts'
import { TargetUnreachable } from '../../suites/runner/plan/preflight.ts'
import { judgeScenario } from '../../suites/runner/outcome/judge.ts'
import { trafficScenarios } from '../../suites/traffic/rules.ts'
import { createPrincipals, forwarded, trafficScenario } from '../../suites/traffic/service.ts'
import { realClock } from '../../suites/wire/clock.ts'
import { direct } from '../../suites/wire/route.ts'
import type { Exchange } from '../../suites/wire/exchange.ts'
import { judgedRun } from '../check/judged-run.ts'
import type { CommandAnswer } from '../command.ts'
import type { ProxyOptions } from '../commands/options.ts'
import type { Io } from '../io.ts'
import { aboutTraffic } from '../judge/judge.ts'
import { UsageError } from '../usage-error.ts'
import { aborted, baseUrlOption, mustLeadElsewhere, systemReason } from '../values.ts'
import { openForwarder } from './forward.ts'

/** Bytes: of a recording, and of one exchange in it. */
const most = { recording: 200e6, exchange: 16e6 }
/** What an exchange takes beside its bodies. */
const overhead = 2_000
/** Exchanges that violations are looked for in while it goes on. */
const recent = 300

export async function proxy(options: ProxyOptions, io: Io): Promise<CommandAnswer> {
  const { to: given, listen, record: out, only } = options
  const to = new URL(baseUrlOption(given, '--to'))
  const [, host = '', port = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(listen) ?? []
  if (port === '' || Number(port) > 65_535)
    throw new UsageError(`--listen ${listen}: give HOST:PORT such as 127.0.0.1:4040, or a port alone.`)
  const place = { host: host.replace(/^\[|\]$/g, '') || '127.0.0.1', port: Number(port) }
  mustLeadElsewhere(`--to ${given}`, given, place)
  const { traffic, keys, secrets, trace, tls = direct.tls } = await aboutTraffic(options, io)
  const redactor = createRedactor(secrets)
  const principals = createPrincipals(keys)
  const clock = realClock()
  const runId = randomUUID()
  const tracedRun = options.trace && trace ? runId : undefined
  // Ctrl-C ends the recording, and what was recorded is judged whole.
  const whole = { ...io, stopped: new AbortController().signal }
  const asked = { ...options, out, ...(only && { only }) }
  return judgedRun(asked, 'traffic', whole, () => ({
    basis: { ...traffic, kind: 'traffic' },
    redactor,
    run: (deps) => runTraffic({ ...traffic, name: to.host, baseUrl: given, from }, { ...deps, runId }),
  }))

  async function from(add: (made: Exchange) => Exchange, signal: AbortSignal | undefined): Promise<void> {
    const watch = watchOf(traffic, io)
    let left = most.recording
    let isAnswered = false
    let refusal: string | undefined
    const stop = (why: string): void => {
      if (left > -Infinity) io.err(`Recording has stopped (${why}); forwarding goes on.\n`)
      left = -Infinity
    }
    signal?.addEventListener('abort', () => stop('the folder cannot be written to'), { once: true })
    const onExchange = (made: Exchange): void => {
      isAnswered ||= made.response !== null
      if (made.failure?.kind === 'refused' && !isAnswered && refusal === undefined) {
        refusal = `${given} does not answer (${made.failure.message})`
        io.err(`${refusal}: clients get a 502.\n`)
      }
      left -= sizeOf(made)
      if (left < 0) return stop(`${most.recording / 1e6} MB are recorded`)
      const exchange = forwarded(made, principals, traffic)
      for (const one of principals.secretsIn(made)) redactor.learn(one)
      watch(add(exchange))
    }
    const forwarding = { to, tls, clock, tracedRun, most: most.exchange, onExchange }
    const forwarder = await openForwarder(place, forwarding).catch((error: unknown) => {
      throw new UsageError(`--listen ${listen}: ${systemReason(error)}; give another address or port.`)
    })
    io.err(
      `Forwarding http://${forwarder.host}:${forwarder.port} to ${given}. Ctrl-C ends it with a report.\n`,
    )
    await aborted(io.stopped)
    await forwarder.close()
    if (refusal !== undefined && !isAnswered) throw new TargetUnreachable(`${refusal}: nothing was recorded.`)
  }
}

function sizeOf({ request, response }: Exchange): number {
  const received = response?.chunks.reduce((sum, { bytes }) => sum + bytes.length, 0) ?? 0
  return overhead + request.body.length + received
}

/** Prints what is violated for the first time, a moment after it came. */
function watchOf({ dialect }: { dialect: Dialect }, io: Pick<Io, 'err'>) {
  const last: Exchange[] = []
  const said = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  function look(): void {
    timer = undefined
    const about = {
      scenario: trafficScenario,
      exchanges: [...last],
      notes: {},
      ending: null,
      crash: null,
      states: [],
      stuck: [],
    }
    for (const [id, scenario] of Object.entries(trafficScenarios))
      for (const { check, subject, verdict, expected, got } of judgeScenario(id, scenario, about, dialect)) {
        if (verdict !== 'fail' || said.has(check)) continue
        said.add(check)
        io.err(`✗ ${subject}: expected ${expected}, got ${got}\n`)
      }
  }
  return (exchange: Exchange): void => {
    // A copy: what judges read of it is to go with it.
    last.push({ ...exchange, request: { ...exchange.request } })
    if (last.length > recent) last.shift()
    timer ??= setTimeout(look, 1_000).unref()
  }
}
