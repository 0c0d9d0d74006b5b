import { implied, must, stated } from '../../clause.ts'

const plan = 'What the service does, Plans'
const state = { observe: 'state' } as const
const webhookPlans = 'Webhook settings are available on the Business and Enterprise plans'

export const plansClauses = {
  'PLAN-PAID': must(
    'Every paid plan may use the HTTP API, MCP connectors and the command line.',
    stated(plan, 'API, MCP and CLI access is available on every paid plan', state),
  ),
  'PLAN-TRIAL': must(
    'An active trial may use the same, within the limits of the trial.',
    stated(plan, 'Active trials may use gated features subject to trial limits', state),
  ),
  'PLAN-WEBHOOKS': must(
    'Plans Business and Enterprise, and an active trial, may use webhook settings.',
    stated(plan, webhookPlans, state),
  ),
  'PLAN-WEBHOOKS-OTHER': must(
    'Any other plan may not use webhook settings.',
    implied(plan, webhookPlans, { state: 'plan.without-webhooks' }),
  ),
} as const
