import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterEach, expect, it } from 'vitest'
import { realClock } from '../wire/clock.ts'
import type { Inbox } from './place.ts'
import { createInbox } from './server.ts'
import { temporaryFolder } from '../../spec/testing/machine.testkit.ts'

const folder = temporaryFolder()
const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
const asked = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=m.test -days 2'
const names = ['-addext', 'subjectAltName=DNS:*.m.test', '-keyout', keyFile, '-out', certFile]
execFileSync('openssl', [...asked.split(' '), ...names], { stdio: 'ignore' })
const certificate = { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
const secure = { host: '127.0.0.1', servername: 'one.m.test', ca: certificate.cert }
const opened: Inbox[] = []
async function inbox(): Promise<Inbox> {
  const made = await createInbox({ clock: realClock(), certificate })
  opened.push(made)
  return made
}
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())))

it('receives over HTTPS what is sent to a name of the certificate', async () => {
  const to = await inbox()
  const place = to.open('/hooks')
  const sending = request({ ...secure, port: to.port, path: '/hooks', method: 'POST' }).end('{}')
  const [{ statusCode }] = (await once(sending, 'response')) as [{ statusCode: number }]
  sending.destroy()
  await expect.poll(() => to.handshakes).toBe(1)
  expect([statusCode, place.arrivals.length]).toEqual([200, 1])
})

it('counts a handshake after which nothing is sent, or that the client ends', async () => {
  const to = await inbox()
  const agreed = connect({ ...secure, port: to.port })
  await once(agreed, 'secureConnect')
  agreed.destroy()
  const distrusting = connect({ port: to.port, host: '127.0.0.1', servername: 'one.m.test' })
  await once(distrusting, 'error')
  await expect.poll(() => to.handshakes).toBe(2)
})
