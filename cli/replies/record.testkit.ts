/** A client that holds a conversation, and a recorder between it and the service. */
import type { Simulator } from '../../simulator/index.ts'
import { main } from '../main.ts'
import { testIo } from '../process.testkit.ts'

export interface Client {
  baseUrl: string
  key: string
  agent: string
}

export const clientOf = ({ url, tenant }: Simulator): Client => ({
  baseUrl: url,
  key: tenant.keys.main,
  agent: tenant.agents.plain,
})

/** The bytes of one answer. */
export async function turn({ baseUrl, key, agent }: Client, body: object): Promise<string> {
  const answer = await fetch(`${baseUrl}/api/v1/chat/${agent}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify(body),
  })
  return answer.text()
}

/** What a client sees of a conversation, without ids. */
export async function seen(client: Client, stream: boolean): Promise<readonly string[]> {
  const texts: string[] = []
  let more: object = {}
  for (const message of ['Where is my order?', 'Show me more', 'Track: it', 'Again', 'Break']) {
    const text = await turn(client, { message, stream, ...more })
    texts.push(
      text.replaceAll(/"(conversation_id|runId|nodeId|credits_remaining)":("[^"]*"|[\d.]+)/g, '"$1":0'),
    )
    const [, id] = /"conversation_id":"([^"]+)"/.exec(text) ?? []
    const [, interaction] = /\{"label":[^}]*?("type":"workflow_button"[^}]*)\}/.exec(text) ?? []
    more = {
      conversation_id: id,
      ...(interaction === undefined ? {} : { interaction: JSON.parse(`{${interaction}}`) as object }),
    }
  }
  return texts
}

/** Records what `speak` says through the recorder, until it is done. */
export async function recorded(
  file: string,
  baseUrl: string,
  speak: (baseUrl: string) => Promise<unknown>,
  more: readonly string[] = [],
): Promise<{ code: number; err: string }> {
  const io = testIo()
  const { err } = io
  const listening = Promise.withResolvers<string>()
  io.err = (text) => {
    err(text)
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? []
    if (address !== undefined) listening.resolve(address)
  }
  const words = ['replies', 'record', '--base-url', baseUrl, '--listen', '--out', file, ...more]
  const ended = main(words, io)
  await speak(
    await Promise.race([listening.promise, ended.then(() => Promise.reject(new Error(io.printed.err)))]),
  )
  io.stop()
  return { code: await ended, err: io.printed.err }
}
