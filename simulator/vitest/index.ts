/** The simulator at home in vitest: `const { test } = useSimulator()`, and each test has a tenant of its own. */
export { useSimulator } from './use-simulator.ts'
export type { RemoteOptions, Simulation, UseOptions } from './use-simulator.ts'
