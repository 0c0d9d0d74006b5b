import { describe, expect, test } from 'vitest'
import { createClock, type TenantClock } from './clock.ts'
import { createMachine, type Machine } from '../testing/machine.testkit.ts'
import { createRateMeter } from '../tenant/rate.ts'

const hour = 3_600_000

const jumps: readonly [what: string, jump: (machine: Machine) => void, dateMoves: number][] = [
  ['the date of the machine is set an hour ahead', (machine) => machine.setDate(hour), hour],
  ['the date of the machine is set an hour back', (machine) => machine.setDate(-hour), -hour],
  ['the process is stopped for five seconds', (machine) => machine.stop(5_000), 5_000],
]

describe.each(jumps)('when %s', (_what, jump, dateMoves) => {
  const begun = (): { machine: Machine; clock: TenantClock } => {
    const machine = createMachine()
    return { machine, clock: createClock({ mode: 'real' }, machine) }
  }

  test('whatever waits runs once, in order, and none of it early', () => {
    const { machine, clock } = begun()
    const ran: string[] = []
    const began = machine.elapsed()
    for (const seconds of [8, 2, 20])
      clock.after(seconds * 1_000, 'timer', () => {
        ran.push(`${seconds}`)
        expect(machine.elapsed() - began).toBeGreaterThanOrEqual(seconds * 1_000)
      })
    machine.pass(1_000)
    jump(machine)
    machine.pass(30_000)
    expect(ran).toEqual(['2', '8', '20'])
  })

  test('the clock never goes back, and lasts as long as time does', () => {
    const { machine, clock } = begun()
    const [began, beganAt] = [clock.now(), machine.elapsed()]
    jump(machine)
    machine.pass(10)
    expect(clock.now() - began).toBe(machine.elapsed() - beganAt)
  })

  test('dates that are shown follow the machine', () => {
    const { machine, clock } = begun()
    const before = clock.date()
    jump(machine)
    expect(clock.date() - before).toBe(dateMoves)
    expect(clock.date()).toBe(machine.now())
  })

  test('the window of a rate is as long as it was', () => {
    const { machine, clock } = begun()
    const [rates, rule] = [createRateMeter(), { kind: 'sliding', limit: 1, windowMs: 60_000 } as const]
    rates.spend('key', rule, clock.now())
    jump(machine)
    const { retryAfterMs } = rates.look('key', rule, clock.now())
    machine.pass(retryAfterMs - 1)
    expect(rates.look('key', rule, clock.now()).remaining).toBe(0)
    machine.pass(1)
    expect(rates.look('key', rule, clock.now()).remaining).toBe(1)
    expect(machine.elapsed()).toBe(60_000)
  })
})

test('a few milliseconds between two interpretations of the machine are no date that was set', () => {
  const machine = createMachine()
  const clock = createClock({ mode: 'real' }, machine)
  machine.setDate(40)
  expect(clock.date()).toBe(clock.now())
})

test('a frozen clock shows its own date, and an offset one the date of the machine with its offset', () => {
  const machine = createMachine()
  const frozen = createClock({ mode: 'frozen', at: 42 }, machine)
  const offset = createClock({ mode: 'offset', ms: 7 }, machine)
  machine.setDate(hour)
  expect([frozen.date(), offset.date() - machine.now()]).toEqual([42, 7])
})
