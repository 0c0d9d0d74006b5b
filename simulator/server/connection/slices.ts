/**
 * Reads a connection in slices. Node parses whatever a read brings without a pause, up to 64 KB, which may be a thousand
 * requests. Such reading makes a small request up to a sixth more expensive, and so it is for a server of which some client
 * pipelines.
 */
import type { Socket } from 'node:net'
import { afterThisTurn } from '../../tenant/clock/machine-time.ts'
import type { SliceSize } from './slice-size.ts'

export interface Slices {
  /** Bytes that have come and are not parsed. */
  readonly held: number
  /** Call it once `mayRead` returns true again. */
  readOn(): void
}

/** The HTTP server waits until what it wrote is sent: it throws when it gets bytes meanwhile, and reads on by itself. */
const isFull = (socket: Socket): boolean => Reflect.get(socket, '_paused') === true

/**
 * `sliceSize`: asked before each slice. `mayRead`: whether another one may be parsed; asked after each. Returns null where
 * no HTTP server listens to the socket: it is read as before.
 */
export function readInSlices(socket: Socket, sliceSize: SliceSize, mayRead: () => boolean): Slices | null {
  const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[]
  const end = socket.listeners('end').at(-1) as (() => void) | undefined
  if (!parse || !end) return null
  let hasEnded = false
  const passSlices = (bytes: Buffer): void => {
    let at = 0
    do parse(bytes.subarray(at, (at += sliceSize(bytes, at))))
    while (at < bytes.length && socket.writable && mayRead() && !socket.isPaused())
    // After the last answer, or a refusal, nothing more is parsed.
    if (!socket.writable || (at >= bytes.length && mayRead())) return
    socket.pause()
    socket.unshift(bytes.subarray(at))
  }
  // With another listener for its data, Node reads the socket as a stream.
  socket.off('data', parse).on('data', (bytes: Buffer) => (socket.writable ? passSlices : parse)(bytes))
  // A client that sends nothing more still gets its answers: the end comes after the last request has begun.
  const pass = (): void => void (socket.destroyed || end())
  socket.off('end', end).on('end', () => {
    hasEnded = !mayRead()
    if (!hasEnded) afterThisTurn(pass)
  })
  // The stream takes itself to be reading; before, a pause stopped that without its knowledge.
  // oxlint-disable-next-line no-underscore-dangle -- there is no other way to have the socket read again
  socket._read(0)
  return {
    get held() {
      return socket.readableLength
    },
    readOn: () => {
      if (hasEnded) afterThisTurn(pass)
      else if (!isFull(socket)) socket.resume()
      hasEnded = false
    },
  }
}
