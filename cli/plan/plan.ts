/** Prints the plan of a run: no request is made. */
import { chatScenarios } from '../../suites/chat/index.ts'
import { planRun } from '../../suites/engine/plan.ts'
import type { Planned, PlannedStory } from '../../suites/engine/plan.ts'
import { openTarget } from '../check/target.ts'
import type { Io } from '../io.ts'
import { json } from '../lists/print.ts'
import type { PlanOptions } from './command.ts'

/** Throws UsageError and ConfigurationError. */
export async function plan(named: string | undefined, options: PlanOptions, io: Io): Promise<void> {
  const place = await openTarget(named, options, io)
  try {
    const planned = planRun(chatScenarios, place.target, options.only)
    io.out(options.json ? json(planned.plan) : lines(planned))
  } finally {
    await place.close()
  }
}

function lines({ plan, stories }: Planned): string {
  const { requests, turns } = plan.ceiling
  const left = stories.filter(({ outlook }) => outlook !== null).length
  const total = `${stories.length} scenarios with ${plan.checks.length} checks; at most ${requests} requests and ${turns} turns`
  const missing = left > 0 ? `; ${left} scenarios cannot be played here (marked –)` : ''
  return `${stories.map(storyLine).join('')}\n${total}${missing}\ndigest ${plan.digest}\n`
}

function storyLine({ id, scenario, subjects, outlook }: PlannedStory): string {
  const { requests, turns } = scenario.cost
  const why = outlook && 'because' in outlook ? `\n    ${outlook.because}` : ''
  return `${outlook ? '–' : ' '} ${id}: ${scenario.title}\n    ${requests} requests, ${turns} turns: ${subjects.join(' ')}${why}\n`
}
