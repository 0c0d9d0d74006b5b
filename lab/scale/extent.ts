/** How thorough the measurements are. */
export interface Extent {
  /** Measured rounds, after one to warm up. */
  readonly rounds: number
  /** Duration of the load in one round, in ms. */
  readonly loadMs: number
  /** Tenants, connections or streams over which memory is averaged. */
  readonly averagedOver: number
  /** Numbers of keys of the tenants that are loaded. */
  readonly keys: readonly number[]
  readonly tenants: number
  readonly simulatedMs: number
}

export const extents = {
  quick: { rounds: 1, loadMs: 800, averagedOver: 300, keys: [0, 1_000], tenants: 1_000, simulatedMs: 12_000 },
  full: {
    rounds: 3,
    loadMs: 2_500,
    averagedOver: 2_000,
    keys: [0, 1_000, 10_000],
    tenants: 10_000,
    simulatedMs: 150_000,
  },
} as const satisfies Record<string, Extent>

export type ExtentName = keyof typeof extents
