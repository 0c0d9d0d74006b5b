import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { openPostgresStore } from './postgres.ts'

/** A message of the server that is about signing in. */
function signingIn(step: number, content: string): Buffer {
  const message = Buffer.alloc(9 + Buffer.byteLength(content))
  message.write('R')
  message.writeInt32BE(message.length - 1, 1)
  message.writeInt32BE(step, 5)
  message.write(content, 9)
  return message
}

test('a server that asks for a password where there is none gets an error, and its connection is closed', async () => {
  vi.stubEnv('PGPASSWORD', undefined)
  vi.stubEnv('PGPASSFILE', '/dev/null')
  const gone: Promise<unknown>[] = []
  await using server = createServer((socket: Socket) => {
    gone.push(once(socket, 'close'))
    socket.once('data', () => {
      socket.once('data', () => socket.write(signingIn(11, 'r=x,s=eA==,i=4096')))
      socket.write(signingIn(10, 'SCRAM-SHA-256\0\0'))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await expect(openPostgresStore(`postgres://ida@127.0.0.1:${port}/sim`)).rejects.toThrow(
    'cannot be used: it asks for a password, and there is none.',
  )
  expect(gone).toHaveLength(1)
  await Promise.all(gone)
})
