/** Replicas in one process at one store, whose leases, rounds and idleness go by a time that the test moves. */
import { isObject, type Json, type JsonObject } from '../json.ts'
import { createSimulator, type Simulator, type SimulatorOptions } from '../simulator.ts'
import { createMemoryStore } from '../store/memory.ts'
import { StoreAway, type Store } from '../store/store.ts'
import type { AgentRole } from '../tenant/fixtures.ts'
import { createMachine } from '../tenant/clock/machine.testkit.ts'
import { breathe } from '../tenant/clock/machine-time.ts'

export interface Said {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** `{}` where the body is no object. */
  readonly body: JsonObject
}

export interface Turn {
  /** Default: one that nobody used. */
  key?: string
  message?: string
  agent?: AgentRole
  stream?: true
  signal?: AbortSignal
}

/** How one replica reaches the store: as ever, without getting at documents, not at all, or as somebody who died. */
type Reach = 'well' | 'unread' | 'away' | 'dead'

export interface Fellow {
  readonly simulator: Simulator
  reach: Reach
  /** What it had to say. */
  readonly notices: string[]
  readonly chat: (turn?: Turn) => Promise<Said>
  readonly open: (turn?: Turn) => Promise<Response>
  /** Of the control plane; `path` is what follows the default tenant, or begins with `/_sim`. */
  readonly control: (method: string, path: string, body?: Json) => Promise<Said>
  /** As kill -9 has it: sockets break, and nothing more is written, renewed or given back. */
  readonly kill: () => void
}

export interface Fellows extends AsyncDisposable {
  /** Time passes for leases, rounds and idleness, and what comes of it is done. */
  readonly pass: (ms: number) => Promise<void>
  readonly join: (options?: SimulatorOptions) => Promise<Fellow>
}

/** A text of the body; empty where there is none. */
export function textAt({ body }: Said, member: string): string {
  const value = body[member]
  return typeof value === 'string' ? value : ''
}

async function said(response: Response): Promise<Said> {
  const text = await response.text()
  const json = response.headers.get('content-type')?.startsWith('application/json') === true
  const parsed: unknown = json ? JSON.parse(text) : {}
  return { status: response.status, headers: response.headers, text, body: isObject(parsed) ? parsed : {} }
}

async function* unread(): AsyncGenerator<never> {
  yield await Promise.reject(new StoreAway('memory cannot be used.'))
}

/** The same store, as one replica reaches it. */
function reached(store: Store, reach: () => Reach): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...given: readonly unknown[]): unknown => {
        if (name === 'documents' && ['unread', 'away'].includes(reach())) return unread()
        if (reach() === 'dead') return new Promise(() => undefined)
        if (reach() === 'away') return Promise.reject(new StoreAway('memory cannot be used.'))
        return Reflect.apply(member, target, given)
      }
    },
  })
}

interface Reached {
  reach: Reach
  readonly notices: string[]
}

/** `fresh`: a key that nobody used. */
function fellowOf(simulator: Simulator, own: Reached, fresh: () => string): Fellow {
  const { url, names } = simulator
  const open: Fellow['open'] = (turn = {}) => {
    const { key = fresh(), message = 'Hello', agent = 'plain', stream, signal } = turn
    return fetch(`${url}/api/v1/chat/${names.agents[agent]}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${names.keys.main}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ message, ...(stream && { stream }) }),
      ...(signal && { signal }),
    })
  }
  return {
    simulator,
    get reach() {
      return own.reach
    },
    set reach(reach) {
      own.reach = reach
    },
    notices: own.notices,
    open,
    chat: async (turn) => said(await open(turn)),
    control: async (method, path, body) => {
      const base = path.startsWith('/_sim') ? '' : `/_sim/v1/tenants/${names.id}`
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const headers = { 'content-type': 'application/json' }
      return said(await fetch(`${url}${base}${path}`, { method, headers, ...sent }))
    },
    kill: () => {
      own.reach = 'dead'
      void simulator.close()
    },
  }
}

const stepMs = 250

export function createFellows(): Fellows {
  const machine = createMachine()
  const store = createMemoryStore(() => machine.elapsed())
  const all: Fellow[] = []
  let keys = 0

  const join: Fellows['join'] = async (options = {}) => {
    const own: Reached = { reach: 'well', notices: [] }
    const simulator = await createSimulator({
      notice: (line) => void own.notices.push(line),
      ...options,
      store: reached(store, () => own.reach),
      replica: { machine, leaseMs: 10_000, idleMs: 60_000, storeTimeoutMs: 1_000, ...options.replica },
    })
    const fellow = fellowOf(simulator, own, () => `key-${++keys}`)
    all.push(fellow)
    return fellow
  }
  return {
    join,
    pass: async (ms) => {
      for (let passed = 0; passed < ms; passed += stepMs) {
        machine.pass(stepMs)
        for (let turn = 0; turn < 3; turn++) await breathe()
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const { simulator, reach } of all) if (reach !== 'dead') await simulator.close()
    },
  }
}
