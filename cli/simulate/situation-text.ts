/** A situation as text: its steps as curl commands to paste, each with the expected response. */
import type { PreparedStep } from '../../simulator/index.ts'
import type { StartSituation } from './situation.ts'

/** `guarded`: the control plane requires a token, which is not printed. */
export function situationText(url: string, situation: StartSituation, guarded: boolean): string {
  const { name, title, shows, steps } = situation
  const lines = steps.map(
    (step, index) => `${index + 1}. ${step.does}\n${curl(url, step, guarded)}\n   → ${expected(step)}\n`,
  )
  return `\nSituation ${name}: ${title}.
It shows: ${shows}.
${'endpoint' in situation ? `Deliveries go to ${situation.endpoint}: \`touchstone listen${name === 'webhook-retry' ? ' --answer 500,500,200' : ''}\`.\n` : ''}
${lines.join('\n')}`
}

function curl(
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
    ...(body === null ? [] : [`-d '${quoted(JSON.stringify(body))}'`]),
  ].join(' \\\n    ')
}

/** Escapes a text for single quotes of a shell. */
const quoted = (text: string): string => text.replaceAll("'", String.raw`'\''`)

function expected({ status, shows, timeoutMs }: PreparedStep): string {
  if (status !== null) return `${status}, with ${shows}`
  return timeoutMs === undefined ? 'no response: the connection is closed' : 'no response: timeout'
}
