/** A run of many checks, each with exchanges of its own, of about the size that those of a real run have. */
import { areas, serverAreas, type ClauseId } from '../../spec/index.ts'
import type { Exchange, Finding, Run, Verdict } from '../../bundle/record.ts'
import { exchange, finding, runOf } from '../testing/run.testkit.ts'

const perCheck = 3

const clauses = serverAreas.flatMap((area) =>
  (Object.keys(areas[area]) as ClauseId[]).map((subject) => ({ area, subject })),
)
const stream = Array.from({ length: 20 }, (_, at) => `data: {"type":"token","token":"word ${at}"}\n\n`)

/** `text`: what is said of a check. */
export function runOfMany(checks: number, verdict: Verdict, text: (check: number) => string): Run {
  const findings = Array.from({ length: checks }, (_, index): Finding => {
    const { area, subject } = clauses[index % clauses.length] ?? { area: 'auth', subject: 'AUTH-MISSING' }
    const evidence = Array.from({ length: perCheck }, (_, at) => perCheck * index + at + 1)
    const said = { expected: text(index), got: text(index), detail: text(index) }
    const scenario = `s${index}`
    return finding({
      verdict,
      subject,
      area,
      scenario,
      check: `${area}/${scenario}/${subject}`,
      evidence,
      ...said,
    })
  })
  const journal = Array.from({ length: perCheck * checks }, (_, at): Exchange => {
    const came = at % 5 === 0 ? stream.join('') : '{"response":"Hello to you, and a good day"}'
    return exchange(at + 1, { scenario: `s${Math.floor(at / perCheck)}`, came })
  })
  return runOf(findings, {}, journal)
}
