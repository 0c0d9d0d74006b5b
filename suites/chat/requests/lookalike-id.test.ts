import { describe, expect, it } from 'vitest'
import { lookalikeOf } from './lookalike-id.ts'

describe('an agent that does not exist', () => {
  it.each([
    ['0b0e7a52-7f0e-4b7c-9a3e-0d9b7c1c4f11', '0b0e7a52-7f0e-4b7c-9a3e-0d9b7c1c9a66'],
    ['0B0E7A52-7F0E-4B7C-9A3E-0D9B7C1CABCD', '0B0E7A52-7F0E-4B7C-9A3E-0D9B7C1Cbcde'],
    ['agent_k3xw9q', 'agent_k3xw4q'],
    ['support', 'support0'],
    // The next number may be the agent of another account.
    ['agent-12', 'agent-900000012'],
    ['7', '900000007'],
  ])('%s has %s for a neighbour', (id, neighbour) => {
    expect(lookalikeOf(id)).toBe(neighbour)
  })
})
