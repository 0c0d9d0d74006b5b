/**
 * What Prism says of answers that were recorded. They are given once more, by a server of our own, through Prism as a
 * proxy: it looks at nothing but the answer, so a request that was wrong on purpose does not matter, and its own
 * handling of bodies and connections is not in the way of anything that is judged.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import type { Exchange } from '../../suites/index.ts'
import { startProxy, type Prism } from './prism.ts'

export interface Answer {
  method: string
  path: string
  status: number
  contentType: string
  body: Uint8Array
}

/** `not-ours`: the document has no such route. Otherwise what it has against the answer. */
export type Opinion = 'not-ours' | readonly string[]

export interface SecondOpinion {
  of(answer: Answer): Promise<Opinion>
  stop(): Promise<void>
}

interface Violation {
  location?: readonly string[]
  severity: string
  message: string
}

/** The answer of an exchange, where it is JSON and came whole. */
export function jsonAnswerOf({
  request: { method, path },
  response,
  failure,
  inbound,
}: Exchange): Answer | null {
  if (response === null || failure !== null || inbound) return null
  const contentType = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (!/^application\/json\b/i.test(contentType)) return null
  const body = Buffer.concat(response.chunks.map(({ bytes }) => bytes))
  return { method, path, status: response.status, contentType, body }
}

export async function openSecondOpinion(): Promise<SecondOpinion> {
  const answers = new Map<string, Answer>()
  const server = await repeating(answers)
  const { port } = server.address() as AddressInfo
  let prism: Prism
  try {
    prism = await startProxy(`http://127.0.0.1:${port}`)
  } catch (thrown) {
    await close(server)
    throw thrown
  }
  let last = 0
  return {
    async of(answer) {
      const id = String((last += 1))
      answers.set(id, answer)
      try {
        return await asked(prism, id, answer)
      } finally {
        answers.delete(id)
      }
    },
    async stop() {
      await prism.stop()
      await close(server)
    },
  }
}

const idHeader = 'x-recorded-answer'

/** Gives the answer that a request asks for by its id. */
async function repeating(answers: ReadonlyMap<string, Answer>): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const answer = answers.get(String(incoming.headers[idHeader]))
    incoming.resume()
    if (answer === undefined) outgoing.writeHead(404).end()
    else
      outgoing
        .writeHead(answer.status, { 'content-type': answer.contentType, [idHeader]: 'repeated' })
        .end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}

async function asked(prism: Prism, id: string, { method, path, status }: Answer): Promise<Opinion> {
  const { headers, statusCode, body } = await request(prism.url + path, {
    method: method as 'GET',
    headers: { [idHeader]: id },
  })
  await body.dump()
  if (statusCode !== status || headers[idHeader] !== 'repeated')
    throw new Error(`prism answered ${statusCode} to ${method} ${path}, in place of the recorded ${status}`)
  const reported = headers['sl-violations']
  const violations = reported === undefined ? [] : (JSON.parse(String(reported)) as readonly Violation[])
  if (violations.some(({ message }) => message === 'Selected route not found')) return 'not-ours'
  return violations
    .filter(({ location }) => location?.[0] === 'response')
    .map(({ message, severity }) => `${severity}: ${message}`)
}
