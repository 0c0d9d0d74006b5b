/** A tenant for as long as some work lasts, in any test runner. */
import { createSimulator, type SimulatorOptions } from './simulator.ts'
import type { Tenant } from './tenant-handle.ts'
import { askedAndAnswered } from './tenant/journal/entry.ts'

/**
 * Opens a simulator of its own, does the work with its tenant, and closes it, whatever comes of the work. Gives what
 * the work gives; where it fails, the journal goes to stderr first.
 */
export async function withTenant<T>(
  work: (tenant: Tenant) => T | Promise<T>,
  options: SimulatorOptions = {},
): Promise<T> {
  const simulator = await createSimulator(options)
  const { tenant } = simulator
  try {
    return await work(tenant)
  } catch (error) {
    console.error(`The work with a simulator failed. ${journalText(tenant)}`)
    throw error
  } finally {
    await simulator.close()
  }
}

/** What a tenant was asked and answered, for a person to read: a few lines for each request, without credentials. */
export const journalText = ({ journal }: Pick<Tenant, 'journal'>): string =>
  askedAndAnswered(journal.entries())
