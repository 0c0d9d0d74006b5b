/**
 * The library in a realm that has the language, and of what platforms add only what every one of the web has: whatever
 * else it reached for would not be defined. Runs in a worker, as loading modules into a realm takes a flag of Node.js.
 */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { SourceTextModule, createContext } from 'node:vm'
import type * as library from './index.ts'
import { parentPort, workerData } from 'node:worker_threads'

const ofTheWeb = {
  ...pick('AbortController', 'AbortSignal', 'Headers', 'Response', 'TextDecoder', 'TextEncoder', 'URL'),
  ...pick('atob', 'btoa', 'clearTimeout', 'crypto', 'fetch', 'setTimeout'),
}
const realm = createContext(ofTheWeb)

function pick(...names: readonly (keyof typeof globalThis)[]): object {
  return Object.fromEntries(names.map((name) => [name, globalThis[name]]))
}

const modules = new Map<string, SourceTextModule>()

function moduleAt(identifier: string): SourceTextModule {
  const source = stripTypeScriptTypes(readFileSync(new URL(identifier), 'utf8'))
  const loaded = modules.get(identifier) ?? new SourceTextModule(source, { identifier, context: realm })
  modules.set(identifier, loaded)
  return loaded
}

const index = moduleAt(new URL('index.ts', import.meta.url).href)
await index.link((name, from) => moduleAt(new URL(name, from.identifier).href))
await index.evaluate()
const { ServiceClient, verifyWebhook } = index.namespace as typeof library

const { baseUrl, apiKey, header } = workerData as Record<'baseUrl' | 'apiKey' | 'header', string>
const client = new ServiceClient({ baseUrl, apiKey })
const turn = { agentId: 'a', message: 'é', idempotencyKey: 'k' }
const { response } = await client.sendMessage(turn)
const types: string[] = []
for await (const { type } of client.streamMessage(turn)) types.push(type)
const bytes = new TextEncoder().encode('Hello, World!')
const file = { fileName: 'a.txt', contentType: 'text/plain', bytes, prepareKey: 'p', finalizeKey: 'f' }
const { status } = await client.uploadFileSource(file)
const genuine = await verifyWebhook(bytes.buffer, header, "It's a Secret to Everybody")
const refused = await client.waitForTask('t', { intervalMs: 1 }).catch(String)
const seen = { response, types, status, genuine, refused }
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker of Node.js has no origin
parentPort?.postMessage(seen)
