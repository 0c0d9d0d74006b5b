/** Every JSON answer of a whole run on the simulator, seen by Prism; and answers that it has to find wrong. */
import type { SimulatorOptions } from '../../simulator/index.ts'
import type { Run } from '../../suites/index.ts'
import { simulatedRun } from '../simulated-run.ts'
import { routeOf } from './routes.ts'
import { jsonAnswerOf, openSecondOpinion, type Answer, type SecondOpinion } from './second-opinion.ts'

interface Count {
  /** Those to routes of the document. */
  answers: number
  /** Each with where it was, and what was answered. */
  violations: readonly string[]
  /** Answers to routes that the document does not have. */
  beyond: Readonly<Record<string, number>>
}

export interface Judged extends Count {
  /** Of each route and status, one answer, spoiled. */
  spoiled: number
  /** Answers found wrong while a fault was on. */
  faults: Readonly<Record<string, number>>
  /** Where validation looks switched off, or a route has become one that the document does not have. */
  complaints: readonly string[]
}

/** Faults whose answers no longer have the shape that the document says, with the scenarios that show them. */
const shapeFaults: Readonly<Record<string, readonly string[]>> = {
  'credits-as-text': ['chat-response/*'],
  'response-in-parts': ['chat-response/*'],
  'receipt-without-status': ['execution/*'],
  'active-as-text': ['management/*'],
}

/** Of these the contract shows no shape, so that any JSON will do. */
const open: readonly string[] = [
  'GET /api/v1/operations 200',
  'PATCH /api/agents/{agentId}/webhooks/{webhookId} 200',
  'DELETE /api/agents/{agentId}/webhooks/{webhookId} 200',
  'POST /api/agents/{agentId}/webhooks/{webhookId}/test 200',
  'GET /api/agents/{agentId}/webhooks/{webhookId}/logs 200',
]

/** The contract has these and does not show their paths: a target file declares them. */
const unshown = /^(GET \/api\/v1\/billing\/(subscription|plans|invoices)|POST \/api\/v1\/uploads\/\w+\/\w+)$/

export async function judgeAnswers(): Promise<Judged> {
  const opinion = await openSecondOpinion()
  try {
    const answers = answersOf(await simulatedRun({ legacy: true }))
    const count = await counted(opinion, answers)
    const spoilt = await spoiled(opinion, answers)
    const seen: Record<string, number> = {}
    for (const [fault, only] of Object.entries(shapeFaults)) {
      const options = { faults: [fault] } as SimulatorOptions
      const { violations } = await counted(opinion, answersOf(await simulatedRun(options, { only })))
      seen[fault] = violations.length
    }
    const faults = seen
    const complaints = [
      ...(count.answers > 1_000 ? [] : [`only ${count.answers} answers were seen of a whole run`]),
      ...Object.keys(count.beyond)
        .filter((route) => !unshown.test(route))
        .map((route) => `${route} is not in the document`),
      ...spoilt.unnoticed.map((kind) => `nothing is said of a spoiled answer to ${kind}`),
      ...Object.entries(faults)
        .filter(([, wrong]) => wrong === 0)
        .map(([fault]) => `nothing is said of the answers while ${fault} is on`),
      ...count.violations,
    ]
    return { ...count, spoiled: spoilt.kinds, faults, complaints }
  } finally {
    await opinion.stop()
  }
}

function answersOf({ journal }: Run): readonly Answer[] {
  return journal.map(jsonAnswerOf).filter((answer) => answer !== null)
}

async function counted(opinion: SecondOpinion, answers: readonly Answer[]): Promise<Count> {
  const violations: string[] = []
  const beyond: Record<string, number> = {}
  let own = 0
  for (const answer of answers) {
    const said = await opinion.of(answer)
    if (said === 'not-ours') {
      const route = routeOf(answer)
      beyond[route] = (beyond[route] ?? 0) + 1
      continue
    }
    own += 1
    violations.push(...said.map((one) => `${kindOf(answer)}: ${one}: ${excerpt(answer)}`))
  }
  return { answers: own, violations, beyond }
}

const kindOf = (answer: Answer): string => `${routeOf(answer)} ${answer.status}`
const excerpt = ({ body }: Answer): string => Buffer.from(body).toString('utf8').slice(0, 200)

/** A text in place of what was answered, once for every route and status: it must be called wrong. */
async function spoiled(
  opinion: SecondOpinion,
  answers: readonly Answer[],
): Promise<{ kinds: number; unnoticed: readonly string[] }> {
  const unnoticed: string[] = []
  let kinds = 0
  for (const [kind, answer] of new Map(answers.map((one) => [kindOf(one), one]))) {
    const said = await opinion.of({ ...answer, body: Buffer.from('"spoiled"') })
    if (said === 'not-ours' || open.includes(kind)) continue
    kinds += 1
    if (said.length === 0) unnoticed.push(kind)
  }
  return { kinds, unnoticed }
}
