/** The text that is printed when the simulator listens, with requests to paste. */
import { defaultVendor } from '../../spec/identifiers.ts'
import type { Tenant, PreparedStep } from '../../simulator/index.ts'
import { listenPort } from '../listen/port.ts'
import type { StartSituation } from './situation.ts'

export interface Ready {
  url: string
  seed: string
  /** The word that replaces `service` in identifiers. */
  vendor: string
  identifiers: Tenant['identifiers']
  /** API keys by role. */
  keys: Tenant['keys']
  /** Agent ids by role. */
  agents: Tenant['agents']
  /** Tokens of signed-in users by role. */
  sessions: Tenant['sessions']
  /** Keys of the older chat variant by the role of their agent, if it is served. */
  olderKeys?: Tenant['olderKeys']
  /** Base URL of the control plane for this tenant; null if it is off. */
  control: string | null
  /** Address of the console, if it is served. */
  console?: string
  /** With `--situation`. */
  situation?: StartSituation
}

export function readyLine(ready: Ready): string {
  return `${JSON.stringify(ready)}\n`
}

export interface GreetingOptions {
  /** The header of a signed-in user. */
  session: readonly [name: string, value: string]
  /** The control plane requires a token, which is not printed. */
  guarded: boolean
  /** Where state is stored; null for memory. */
  keptIn: string | null
}

export function greeting(ready: Ready, manner: GreetingOptions): string {
  const { url, vendor, identifiers, keys, agents, control, situation } = ready
  const page = ready.console === undefined ? '' : `  console  ${ready.console}\n`
  const others = (roles: object, first: string) =>
    Object.keys(roles)
      .filter((role) => role !== first)
      .join(', ')
  return `Touchstone simulator at ${url}

  API key  ${keys.main}  (more: ${others(keys, 'main')})
  agent    ${agents.plain}  (more: ${others(agents, 'plain')})
  control  ${control ?? 'off'}
${page}${vendor === defaultVendor ? '' : `  vendor   ${vendor}  (such as ${identifiers.replayHeader})\n`}${manner.keptIn === null ? '' : `  stored in  ${manner.keptIn}\n`}${situation ? situationText(url, situation, manner.guarded) : firstRequests(ready, manner)}
All keys, agents and sessions: --json. Ctrl-C stops it.${control === null ? '' : '\nControl it from another terminal: touchstone tail, trigger, clock … (see --help).'}
`
}

function firstRequests(
  { url, keys, agents, olderKeys, control }: Ready,
  { session, guarded }: GreetingOptions,
): string {
  return `
A turn:
${curl(url, agents.plain, keys.main, false)}

The same as a stream:
${curl(url, agents.plain, keys.main, true)}
${olderKeys ? `\nThe older variant:\n${older(url, agents.plain, olderKeys.plain)}\n` : ''}
A webhook that delivers to \`touchstone listen\`${control === null ? '' : ', and an event for it'}:
${[webhook(url, agents.plain, session), ...(control === null ? [] : [event(control, guarded)])].join('\n')}
`
}

/** Each paste has a new key, so that the second one is no replay. */
function curl(url: string, agent: string, key: string, stream: boolean): string {
  const body = stream ? '{"message":"Hello","stream":true}' : '{"message":"Hello"}'
  return [
    `  curl -sS${stream ? 'N' : ''} ${url}/api/v1/chat/${agent}`,
    `-H 'Authorization: Bearer ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-H "Idempotency-Key: try-$(date +%s)-$$-$RANDOM"`,
    `-d '${body}'`,
  ].join(' \\\n    ')
}

function older(url: string, agent: string, key: string): string {
  return [
    `  curl -sS ${url}/v1/agents/${agent}/chat`,
    `-H 'Authorization: Bearer ${key}'`,
    `-H 'Content-Type: application/json'`,
    `-d '{"message":"Hello"}'`,
  ].join(' \\\n    ')
}

/** Each paste creates another webhook. */
function webhook(url: string, agent: string, [name, value]: GreetingOptions['session']): string {
  return [
    `  curl -sS ${url}/api/agents/${agent}/webhooks`,
    `-H '${name}: ${value}'`,
    `-H 'Content-Type: application/json'`,
    `-d '{"name":"Mine","endpoint_url":"http://localhost:${listenPort}/","events":["leads.submit"]}'`,
  ].join(' \\\n    ')
}

function event(control: string, guarded: boolean): string {
  return [
    `  curl -sS ${control}/events`,
    ...(guarded ? [`-H "Authorization: Bearer $CONTROL_TOKEN"`] : []),
    `-H 'Content-Type: application/json'`,
    `-d '{"event":"leads.submit"}'`,
  ].join(' \\\n    ')
}

/** `guarded`: the control plane requires a token, which is not printed. */
function situationText(url: string, situation: StartSituation, guarded: boolean): string {
  const { name, title, shows, steps } = situation
  const lines = steps.map(
    (step, index) =>
      `${index + 1}. ${step.does}\n${curlOfStep(url, step, guarded)}\n   → ${expected(step)}\n`,
  )
  return `\nSituation ${name}: ${title}.
It shows: ${shows}.
${'endpoint' in situation ? `Deliveries go to ${situation.endpoint}: \`touchstone listen${name === 'webhook-retry' ? ' --answer 500,500,200' : ''}\`.\n` : ''}
${lines.join('\n')}`
}

function curlOfStep(
  url: string,
  { method, path, headers, body, shows, timeoutMs, control }: PreparedStep,
  guarded: boolean,
): string {
  // curl prints response headers only with -i.
  const flags = `${shows.startsWith('X-') ? '-i ' : ''}${body?.['stream'] === true ? '-sSN' : '-sS'}`
  const timeout = timeoutMs === undefined ? '' : ` -m ${timeoutMs / 1000}`
  const verb = method === 'PATCH' || (method === 'POST' && body === null) ? ` -X ${method}` : ''
  return [
    `  curl ${flags}${timeout}${verb} ${url}${path}`,
    ...(control && guarded ? [`-H "Authorization: Bearer $CONTROL_TOKEN"`] : []),
    ...headers.map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === null ? [] : [`-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`]),
  ].join(' \\\n    ')
}

function expected({ status, shows, timeoutMs }: PreparedStep): string {
  if (status !== null) return `${status}, with ${shows}`
  return timeoutMs === undefined ? 'no response: the connection is closed' : 'no response: timeout'
}
