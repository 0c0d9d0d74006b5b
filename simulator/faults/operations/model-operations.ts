/** Tasks and approvals that go wrong only after a certain course of requests. */
import { type Fault } from '../../modification/modification.ts'

export const operationModelFaults = {} as const satisfies Record<string, Fault>
