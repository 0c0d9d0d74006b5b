/** Certificate authority and transparency log of the Sigstore project's own stand-ins, on loopback. */
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { importTool } from '../tools.ts'

interface Keys {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

interface Handler {
  readonly path: string
  readonly fn: (
    body: string,
  ) => Promise<{ readonly statusCode: number; readonly response: string; readonly contentType?: string }>
}

interface Authority {
  readonly rootCertificate: Uint8Array
}

interface Log {
  readonly publicKey: Buffer
  readonly logID?: Uint8Array
}

interface Mock {
  initializeCTLog(keys: Keys): Promise<Log>
  initializeCA(keys: Keys, log: Log): Promise<Authority>
  initializeTLog(url: string, keys: Keys): Promise<Log>
  fulcioHandler(authority: Authority): Handler
  rekorHandler(log: Log): Handler
}

export interface Services {
  readonly fulcio: string
  readonly rekor: string
  /** DER of the root certificate, and of the public keys of both logs. */
  readonly trusted: { readonly root: Uint8Array; readonly certificates: Buffer; readonly entries: Buffer }
  close(): void
}

export async function startServices(tools: string): Promise<Services> {
  const mock = (await importTool(tools, '@sigstore/mock')) as Mock
  const keys = (): Keys => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const certificates = await mock.initializeCTLog(keys())
  const authority = await mock.initializeCA(keys(), certificates)
  const fulcio = await serve(() => mock.fulcioHandler(authority))
  let entries: Log | undefined
  const rekor = await serve(async (url) => {
    const { path, fn } = mock.rekorHandler((entries = await mock.initializeTLog(url, keys())))
    return { path, fn: (offered) => fn(entryOf(offered)) }
  })
  if (entries === undefined) throw new Error('there is no transparency log')
  return {
    fulcio: fulcio.url,
    rekor: rekor.url,
    trusted: {
      root: authority.rootCertificate,
      certificates: certificates.publicKey,
      entries: entries.publicKey,
    },
    close: () => [fulcio, rekor].forEach(({ server }) => server.close()),
  }
}

/** Rekor does not keep what it is offered, as its stand-in would: digests and signatures of it only. */
function entryOf(offered: string): string {
  const { kind, apiVersion, spec } = JSON.parse(offered) as {
    kind: string
    apiVersion: string
    spec: { proposedContent: { envelope: string; verifiers: readonly string[] } }
  }
  const { envelope, verifiers } = spec.proposedContent
  const { payload, signatures } = JSON.parse(envelope) as { payload: string; signatures: { sig: string }[] }
  const digest = (bytes: string | Uint8Array) => ({
    algorithm: 'sha256',
    value: createHash('sha256').update(bytes).digest('hex'),
  })
  const kept = {
    envelopeHash: digest(envelope),
    payloadHash: digest(Buffer.from(payload, 'base64')),
    signatures: signatures.map(({ sig }, at) => ({ signature: sig, verifier: verifiers[at] })),
  }
  return JSON.stringify({ kind, apiVersion, spec: kept })
}

async function serve(
  handlerAt: (url: string) => Handler | Promise<Handler>,
): Promise<{ readonly url: string; readonly server: Server }> {
  let handler: Handler | undefined
  const server = createServer(async (request, response) => {
    if (handler === undefined || request.method !== 'POST' || request.url !== handler.path) {
      response.writeHead(404).end()
      return
    }
    const { statusCode, response: body, contentType } = await handler.fn(await text(request))
    response.writeHead(statusCode, { 'content-type': contentType ?? 'text/plain' }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  handler = await handlerAt(url)
  return { url, server }
}
