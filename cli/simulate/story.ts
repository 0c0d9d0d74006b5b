/** The steps of an arranged scenario as lines to paste, each with what it is answered. */
import type { Step } from '../../simulator/index.ts'
import type { Arranged } from './arranged.ts'

/** `guarded`: the control plane asks for a token, which is not printed. */
export function story(url: string, arranged: Arranged, guarded: boolean): string {
  const { name, title, shows, steps } = arranged
  const told = steps.map(
    (step, index) => `${index + 1}. ${step.does}\n${curl(url, step, guarded)}\n   → ${answered(step)}\n`,
  )
  return `\nThe scenario ${name}: ${title}.
It shows: ${shows}.
${'endpoint' in arranged ? `Deliveries go to ${arranged.endpoint}: \`touchstone listen --answer 500,500,200\`.\n` : ''}
${told.join('\n')}`
}

function curl(
  url: string,
  { method, path, headers, body, shows, patienceMs, control }: Step,
  guarded: boolean,
): string {
  // A header of the answer is shown on request only.
  const flags = `${shows.startsWith('X-') ? '-i ' : ''}${body?.['stream'] === true ? '-sSN' : '-sS'}`
  const patience = patienceMs === undefined ? '' : ` -m ${patienceMs / 1000}`
  const verb = method === 'PATCH' || (method === 'POST' && body === null) ? ` -X ${method}` : ''
  return [
    `  curl ${flags}${patience}${verb} ${url}${path}`,
    ...(control && guarded ? [`-H "Authorization: Bearer $CONTROL_TOKEN"`] : []),
    ...headers.map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === null ? [] : [`-d '${quoted(JSON.stringify(body))}'`]),
  ].join(' \\\n    ')
}

/** Within single quotes of a shell. */
const quoted = (text: string): string => text.replaceAll("'", String.raw`'\''`)

function answered({ status, shows, patienceMs }: Step): string {
  if (status !== null) return `${status}, with ${shows}`
  return patienceMs === undefined ? 'none, and the connection drops' : 'none in time'
}
