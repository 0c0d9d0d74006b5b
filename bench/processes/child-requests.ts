/** Requests that a child process of a benchmark answers about itself. */

type Handlers = Readonly<Record<string, () => unknown>>

const common = {
  /** Resident set size in bytes. */
  rss: () => process.memoryUsage.rss(),
  /** Processor time since the start, in microseconds. */
  processor: () => {
    const { user, system } = process.cpuUsage()
    return user + system
  },
} satisfies Handlers

/** Exits when the parent process has exited. */
export function endWithParent(): void {
  process.on('disconnect', () => process.exit())
}

/** Replies to each request with the result of the handler of that name, or `done` if it returns nothing. */
export function handleRequests(own: Handlers = {}): void {
  const handlers: Handlers = { ...common, ...own }
  endWithParent()
  process.on('message', (name: string) => {
    process.send?.(handlers[name]?.() ?? 'done')
  })
}
