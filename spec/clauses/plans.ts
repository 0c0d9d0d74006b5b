import { must } from '../clause.ts'

const plan = 'What the service does, Plans'
const state = { observe: 'state' } as const

export const plans = {
  'PLAN-PAID': must(
    'Every paid plan may use the HTTP API, MCP connectors and the command line.',
    plan,
    state,
  ),
  'PLAN-TRIAL': must('An active trial may use the same, within the limits of the trial.', plan, state),
  'PLAN-WEBHOOKS': must(
    'Plans Business and Enterprise, and an active trial, may use webhook settings.',
    plan,
    state,
  ),
  'PLAN-WEBHOOKS-OTHER': must('Any other plan may not use webhook settings.', plan, {
    basis: 'implied',
    state: 'plan.without-webhooks',
  }),
} as const
