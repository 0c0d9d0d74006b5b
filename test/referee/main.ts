/**
 * `npm run referee`: a tool of others has a word on what we say. A bare mock of our document must not get through
 * the suite; the answers of the simulator must get through the mock's maker's own reading of the document. The last
 * line counts; the exit code is 1 where anything is not as it should be.
 */
import { judgeAnswers } from './answers.ts'
import { clausesOf, judgeMock, found, kept } from './mock.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const mock = await judgeMock()
say(`a bare mock of the document, ${mock.run.record.findings.length} checks: ${mock.run.record.conformance}`)
say(
  `  ${clausesOf(found).length} clauses found broken, ${clausesOf(kept).length} found kept, as expected, and no others`,
)

const answers = await judgeAnswers()
say(`answers of the simulator, with ${answers.spoiled} kinds of them spoiled on purpose`)
for (const [fault, count] of Object.entries(answers.faults)) say(`  ${fault}: ${count} answers found wrong`)
for (const [route, count] of Object.entries(answers.beyond)) say(`  ${route}: ${count}, not in the document`)

const complaints = [...mock.complaints, ...answers.complaints]
for (const complaint of complaints) say(`NOT AS IT SHOULD BE: ${complaint}`)
say(`${answers.answers} answers, ${answers.violations.length} violations`)
process.exitCode = complaints.length === 0 && answers.violations.length === 0 ? 0 : 1
