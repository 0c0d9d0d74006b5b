/** A time-stamp server on loopback: openssl makes its certificate and every reply. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

export interface TimestampAuthority {
  url: string
  /** The path of its certificate, which is its own root. */
  certificate: string
  /** From now on it grants nothing. */
  refuse(): void
  close(): Promise<void>
}

export async function startTimestampAuthority(folder: string): Promise<TimestampAuthority> {
  mkdirSync(folder)
  const [key, certificate, configuration] = ['key.pem', 'cert.pem', 'tsa.cnf'].map((name) =>
    join(folder, name),
  )
  if (key === undefined || certificate === undefined || configuration === undefined)
    throw new Error('unnamed')
  writeFileSync(configuration, configurationIn(folder, key, certificate))
  const made = `req -x509 -newkey rsa:2048 -nodes -keyout ${key} -out ${certificate} -days 2 -subj /CN=time.example`
  execFileSync('openssl', [...made.split(' '), '-addext', 'extendedKeyUsage=critical,timeStamping'], {
    stdio: 'ignore',
  })
  let granting = true
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const query = join(folder, 'query.tsq')
      writeFileSync(query, granting ? body : body.subarray(0, 20))
      const reply = execFileSync('openssl', ['ts', '-reply', '-config', configuration, '-queryfile', query], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      response.writeHead(200, { 'Content-Type': 'application/timestamp-reply' }).end(reply)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    certificate,
    refuse: () => void (granting = false),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function configurationIn(folder: string, key: string, certificate: string): string {
  writeFileSync(join(folder, 'serial'), '01\n')
  return `[tsa]
default_tsa = one
[one]
serial = ${join(folder, 'serial')}
signer_cert = ${certificate}
signer_key = ${key}
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
ess_cert_id_alg = sha256
`
}
