import { expect, test } from 'vitest'
import { simulatorTarget } from '../../cli/simulator-target.ts'
import { createSimulator } from '../../simulator/index.ts'
import { runServerUnredacted } from '../../suites/runner/drivers/server.ts'
import { openGateway } from './gateway.ts'

const page = (words: string): string =>
  `<html>\r\n<head><title>${words}</title></head>\r\n<body>\r\n<center><h1>${words}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`
const html = { 'content-type': 'text/html' }

test.for([
  ['502 as nginx', 'standard', { status: 502, headers: html, body: page('502 Bad Gateway') }],
  ['504 as nginx', 'smoke', { status: 504, headers: html, body: page('504 Gateway Time-out') }],
  ['502 in JSON', 'smoke', { status: 502, body: '{"error":"BAD_GATEWAY"}' }],
] as const)(
  'a gateway that answers %s to every tenth request breaks no clause',
  async ([, profile, answer]) => {
    const simulator = await createSimulator()
    const gateway = await openGateway(simulator.url, (nth) => (nth % 10 === 0 ? answer : null))
    const target = { ...simulatorTarget(simulator), baseUrl: gateway.url, profile }
    const { record } = await runServerUnredacted(target, { seed: 1 })
    await gateway.close()
    await simulator.close()
    const broken = record.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')
    expect(broken.map(({ check, expected, got, detail }) => [check, expected, got, detail])).toEqual([])
    expect(record.findings.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(
      profile === 'smoke' ? 100 : 300,
    )
    expect(record.exitCode).toBe(3)
  },
)
