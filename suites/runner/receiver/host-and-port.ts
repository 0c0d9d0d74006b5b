/** Reads where to listen, such as `127.0.0.1:8080` or `[::1]:8080`. */
export function hostAndPort(listen: string): { host: string; port: number } {
  const colon = listen.lastIndexOf(':')
  return { host: listen.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(listen.slice(colon + 1)) }
}
