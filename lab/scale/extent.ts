/** How much work is put into the measurements. */
export interface Extent {
  /** How often each turn is measured, after one round that warms up. */
  readonly rounds: number
  /** How long load lasts in one round, in ms. */
  readonly loadMs: number
  /** Tenants, connections or streams of which one is weighed. */
  readonly weighed: number
  /** Keys of the tenants that are taken up. */
  readonly keys: readonly number[]
  /** Of the simulation. */
  readonly tenants: number
  readonly simulatedMs: number
}

export const extents = {
  quick: { rounds: 1, loadMs: 800, weighed: 300, keys: [0, 1_000], tenants: 1_000, simulatedMs: 12_000 },
  full: {
    rounds: 3,
    loadMs: 2_500,
    weighed: 2_000,
    keys: [0, 1_000, 10_000],
    tenants: 10_000,
    simulatedMs: 150_000,
  },
} as const satisfies Record<string, Extent>

export type ExtentName = keyof typeof extents
