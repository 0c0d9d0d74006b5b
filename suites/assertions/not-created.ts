/** What is said of a webhook that was not created, and what to do about it. */
import { type Exchange, parseJson, text } from '../wire/exchange.ts'

const shownMost = 160

const isOfLimit = /\b(?:limit|maximum|at most|too many|quota|exceed)/i

/** How a creation was refused, with its body if that is JSON, else the first line of it, and what the target file may say. */
export function notCreated(exchange: Exchange): string {
  const { name, response } = exchange
  if (!response) return `no webhook was created: \`${name}\` was not answered`
  const line = oneLine(text(exchange).text.trim())
  const said = line === '' ? '' : `: ${line.slice(0, shownMost)}`
  const { status } = response
  const came = `no webhook was created: \`${name}\` was answered ${status}`
  return status < 300
    ? `${came}, without the strings \`id\` and \`secret_key\``
    : `${came}${said}${adviceOn(status, line)}`
}

/** JSON without line ends, however it was indented; of anything else the first line. */
function oneLine(body: string): string {
  const parsed = parseJson(body)
  return parsed.ok ? JSON.stringify(parsed.value) : (body.split(/\r?\n/, 1)[0] ?? '')
}

function adviceOn(status: number, line: string): string {
  if (status === 409 || status === 429 || (status >= 400 && status < 500 && isOfLimit.test(line)))
    return '; where an agent may have few webhooks, remove those that nobody needs, or lower receiver.scenariosAtOnce'
  return status >= 400 && status < 500 && status !== 401
    ? '; if a creation needs more than the contract shows, declare it as webhooks.create.members or webhooks.create.headers'
    : ''
}
