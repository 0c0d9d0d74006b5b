/** Routes that show what requests are yet to meet: network faults, failures and reply rules. */
import { replyRuleFixtures } from '../../tenant/fixtures.ts'
import type { Tenant } from '../../tenant.ts'
import { placeOfOutage } from '../../tenant/outage.ts'
import type { JsonObject } from '../../json.ts'
import { ok, type ControlResponse } from '../answer.ts'

/** JSON has no infinity: null stands for it. */
const countOf = (times: number): number | null => (times === Infinity ? null : times)

export const listNetworkFaults = ({ state }: Tenant): ControlResponse =>
  ok({
    networkFaults: state.networkFaults.armed.map(({ networkFault, toPass, left }) => ({
      ...(networkFault.on && { on: { ...networkFault.on } }),
      do: networkFault.do as unknown as JsonObject,
      after: Math.max(0, toPass),
      times: countOf(left),
    })),
  })

export const listFailures = ({ state }: Tenant): ControlResponse =>
  ok({
    failures: state.outages.map((outage) => ({
      status: outage.status,
      at: placeOfOutage(outage),
      times: countOf(outage.times ?? 1),
      ...(outage.agent === undefined ? {} : { agentId: outage.agent }),
      ...(outage.apiKey === undefined ? {} : { principal: outage.apiKey }),
    })),
  })

export const listReplyRules = ({ state }: Tenant): ControlResponse =>
  ok({
    replyRules: state.replyRules as unknown as JsonObject[],
    fixtures: replyRuleFixtures.length,
  })
