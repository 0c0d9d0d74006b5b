/** What the guide to a live run promises, held against the plan. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clauses, states, type ClauseId, type StateId } from '../../spec/index.ts'
import { planRun } from '../../suites/runner/plan/plan.ts'
import { bareTarget, undeclared, type Principal, type Provision, type Target } from '../../suites/index.ts'
import { loadTarget } from '../../suites/config/file/file.ts'
import { rooms, type RoomId } from '../rooms.ts'

const key = (name: string, more: Partial<Principal> = {}): Principal => ({
  name,
  bearer: `sk-${name}`,
  scopes: ['chat', 'billing_read'],
  agents: '*',
  account: 'main',
  sacrificial: false,
  ...more,
})

const none: Provision = { provide: 'none', why: 'not on a live service' }
const live: Target = {
  ...undeclared,
  name: 'live',
  kind: 'production',
  baseUrl: 'https://live.example',
  agents: { plain: 'plain', second: 'second' },
  principals: [
    key('main'),
    key('second', { scopes: ['chat'] }),
    key('noChat', { scopes: ['billing_read'] }),
    key('oneAgent', { agents: ['second'] }),
    key('broke', { account: 'broke' }),
    key('stranger', { account: 'stranger' }),
    key('limited', { sacrificial: true }),
    key('former', { revoked: true }),
  ],
  states: {
    ...Object.fromEntries((Object.keys(states) as StateId[]).map((state) => [state, none])),
    'turn.slow': { provide: 'wire' },
    'rate.limited': { provide: 'wire' },
    'chat.paused': { provide: 'fixture', agent: 'paused' },
    'workflow.current': { provide: 'fixture', agent: 'booking' },
    'credits.exhausted': { provide: 'fixture', principal: 'broke' },
  },
}

function mustClauses(reachable: boolean, target: Target = live, room: RoomId = 'chat'): Set<string> {
  const { scenarios } = planRun(rooms[room].scenarios, {
    ...target,
    profile: reachable ? 'standard' : 'exhaustive',
  })
  const subjects = scenarios
    .filter(({ outlook }) => !reachable || outlook === null)
    .flatMap((scenario) => scenario.subjects)
  return new Set(subjects.filter((id) => id in clauses && clauses[id as ClauseId].level === 'must'))
}

test('wire and fixtures alone reach more than half of the MUST clauses of chat on a production target', () => {
  expect(mustClauses(true).size / mustClauses(false).size).toBeGreaterThan(0.5)
})

const guide = readFileSync(new URL('../../docs/guide-live.md', import.meta.url), 'utf8')

/** The target file that stands in the guide. */
function written(): Target {
  const [, text = ''] = /^```yaml\n(# live[^]*?)^```$/m.exec(guide) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-guide-'))
  const file = join(folder, 'live.yaml')
  writeFileSync(file, text)
  const names = [...text.matchAll(/env:(\w+)/g)].map(([, name = '']) => name)
  const env = Object.fromEntries(names.map((name) => [name, `sk-${name}`]))
  try {
    return loadTarget(file, {
      ...env,
      LIVE_URL: 'https://live.example',
      LIVE_RECEIVER_URL: 'https://receiver.example',
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What a row of the table in the guide says there is, in its order. */
function rows(): readonly Target[] {
  const bare = bareTarget({ baseUrl: 'https://live.example', apiKey: 'sk-main', agent: 'plain' })
  const whole = written()
  const keys: Target = {
    ...whole,
    session: null,
    receiver: undeclared.receiver,
    fixtures: undeclared.fixtures,
  }
  const session = { ...keys, session: whole.session }
  const receiver = { ...session, receiver: whole.receiver }
  return [
    bare,
    { ...bare, states: { 'turn.slow': none } },
    keys,
    { ...keys, exclusiveCredits: true },
    session,
    receiver,
    whole,
    { ...whole, optIn: ['writes'] },
  ]
}

test('the shares in the guide are those that its file and a bare target reach', () => {
  const shares = rows().map((target) =>
    (['chat', 'webhooks', 'operations'] as const).map(
      (room) =>
        `${Math.round((100 * mustClauses(true, target, room).size) / mustClauses(false, live, room).size)} %`,
    ),
  )
  expect(guide.match(/\d+ %/g)).toEqual(shares.flat())
})
