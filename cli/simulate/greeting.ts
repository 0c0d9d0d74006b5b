/** The text that is printed when the simulator listens, with requests to paste. */
import { simulatorUrl } from '../../bundle/curl.ts'
import { defaultVendor } from '../../spec/identifiers.ts'
import type { Tenant, PreparedStep } from '../../simulator/index.ts'
import { listenPort } from '../values.ts'
import type { Ready, StartSituation } from './open.ts'

interface GreetingOptions {
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
All keys, agents and sessions: --json. Ctrl-C stops it.${control === null ? '' : `\nControl it from another terminal: \`touchstone sim tail${controlOptions(url, manner.guarded)}\` (trigger, clock …: see --help).`}
`
}

const controlOptions = (url: string, guarded: boolean): string =>
  `${url === simulatorUrl ? '' : ` --control ${url}`}${guarded ? ' --control-token env:CONTROL_TOKEN' : ''}`

/** Each paste of the webhook creates another one. */
function firstRequests(
  { url, keys, agents, olderKeys, control }: Ready,
  { session: [name, value], guarded }: GreetingOptions,
): string {
  const older = olderKeys
    ? curlOf(
        `-sS ${url}/v1/agents/${agents.plain}/chat`,
        bearer(olderKeys.plain),
        jsonType,
        `-d '{"message":"Hello"}'`,
      )
    : ''
  const webhook = curlOf(
    `-sS ${url}/api/agents/${agents.plain}/webhooks`,
    `-H '${name}: ${value}'`,
    jsonType,
    `-d '{"name":"Mine","endpoint_url":"http://localhost:${listenPort}/","events":["leads.submit"]}'`,
  )
  const event = curlOf(
    `-sS ${control}/events`,
    ...(guarded ? [controlToken] : []),
    jsonType,
    `-d '{"event":"leads.submit"}'`,
  )
  return `
A turn:
${turn(url, agents.plain, keys.main, false)}

The same as a stream:
${turn(url, agents.plain, keys.main, true)}
${older && `\nThe older variant:\n${older}\n`}
A webhook that delivers to \`touchstone listen\`${control === null ? '' : ', and an event for it'}:
${[webhook, ...(control === null ? [] : [event])].join('\n')}
`
}

const jsonType = `-H 'Content-Type: application/json'`
const bearer = (key: string): string => `-H 'Authorization: Bearer ${key}'`
const curlOf = (...parts: readonly string[]): string => `  curl ${parts.join(' \\\n    ')}`

/** Each paste has a new key, so that the second one is no replay. */
const turn = (url: string, agent: string, key: string, stream: boolean): string =>
  curlOf(
    `-sS${stream ? 'N' : ''} ${url}/api/v1/chat/${agent}`,
    bearer(key),
    jsonType,
    `-H "Idempotency-Key: try-$(date +%s)-$$-$RANDOM"`,
    `-d '{"message":"Hello"${stream ? ',"stream":true' : ''}}'`,
  )

/** The control plane may require a token, which is not printed. */
const controlToken = `-H "Authorization: Bearer $CONTROL_TOKEN"`

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
  return curlOf(
    `${flags}${timeout}${verb} ${url}${path}`,
    ...(control && guarded ? [controlToken] : []),
    ...headers.map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === null ? [] : [`-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`]),
  )
}

function expected({ status, shows, timeoutMs }: PreparedStep): string {
  if (status !== null) return `${status}, with ${shows}`
  return timeoutMs === undefined ? 'no response: the connection is closed' : 'no response: timeout'
}

/** Depends on the simulator's interpretation of GAP-SESSION. */
export function sessionHeader({
  interpretations,
  sessions,
}: Pick<Tenant, 'interpretations' | 'sessions'>): [name: string, value: string] {
  return interpretations['GAP-SESSION'] === 'cookie'
    ? ['Cookie', `session=${sessions.main}`]
    : ['Authorization', `Bearer ${sessions.main}`]
}
