/** Command lines as they should not be, and as they may be: ours, with one thing changed from outside. */
import { run, type Captured } from '../client/command-line/process.testkit.ts'
import type { CommandLineIo } from '../client/command-line/process-io.ts'
import { profilesIn, saveProfile } from '../client/command-line/settings/profiles.ts'
import { speechOf } from '../client/command-line/settings/vendor.ts'

export type Program = (words: readonly string[], over: Partial<CommandLineIo>) => Promise<Captured>

interface BrokenCommandLine {
  /** The clause that has to be found broken. */
  breaks: string
  program: Program
}

type Words = readonly string[]

/** Words that reach our own command line are others than those that were typed. */
const reading =
  (change: (words: Words, over: Partial<CommandLineIo>) => Words): Program =>
  (words, over) =>
    run(change(words, over), over)

/** What comes of it is something else. */
const ending =
  (
    change: (done: Captured, words: Words, over: Partial<CommandLineIo>) => Captured | Promise<Captured>,
  ): Program =>
  async (words, over) =>
    change(await run(words, over), words, over)

function without(name: string, takes: 0 | 1 = 1) {
  return (words: Words): Words => {
    const at = words.indexOf(name)
    return at === -1 ? words : words.toSpliced(at, 1 + takes)
  }
}

/** What follows an option, as it was typed. */
const valueOf = (words: Words, name: string): string | undefined =>
  words.includes(name) ? words[words.indexOf(name) + 1] : undefined

const instead = (words: Words, name: string, value: string): Words =>
  words.includes(name) ? words.with(words.indexOf(name) + 1, value) : words

const filling = (name: string, value: string) =>
  reading((words) => (words[0] !== 'chat' || words.includes(name) ? words : [...words, name, value]))

const placeOf = (over: Partial<CommandLineIo>): Parameters<typeof profilesIn>[0] => ({
  env: over.env ?? {},
  home: over.home ?? '',
  windows: false,
  speech: speechOf({}, over.env ?? {}),
})

const isLogin = ([command]: Words): boolean => command === 'login'
const baseOf = ({ env = {} }: Partial<CommandLineIo>): string => env['SERVICE_BASE_URL'] ?? ''

/** Saves whatever comes, where `asking` says so. */
const saving =
  (asking: (done: Captured) => boolean): Program =>
  async (words, over) => {
    const done = await run(words, over)
    if (isLogin(words) && over.read && asking(done))
      saveProfile('harbour', { baseUrl: baseOf(over), apiKey: (await over.read()).trim() }, placeOf(over))
    return done
  }

/** JSON, by guessing what was left out of it. */
const repaired = (typed: string): string => {
  try {
    return JSON.stringify(JSON.parse(typed))
  } catch {
    return '{"agentId":"agent-by-the-harbour"}'
  }
}

/** By the clause that has to be found broken. */
const broken: Readonly<Record<string, Readonly<Record<string, Program>>>> = {
  'CLI-CHAT-REQUIRED': {
    'makes up an agent': filling('--agent', 'agent_of_mine'),
    'makes up an idempotency key': filling('--idempotency-key', 'made-up'),
    'ends as if all were well': ending((done) => ({ ...done, code: 0 })),
  },
  'CLI-CHAT-OPTIONS': {
    'begins a conversation anew': reading(without('--conversation-id')),
    'never asks for a stream': reading(without('--stream', 0)),
  },
  'CLI-JSON': {
    'prints words for --json': reading(without('--json', 0)),
  },
  'CLI-CONFIRM': {
    'says that held work is completed': ending((done, words) =>
      words.includes('--confirm') ? { code: 0, out: 'Status: completed\n', err: '' } : done,
    ),
    'approves what it should confirm': ending(async (done, words, over) => {
      if (words.includes('--confirm'))
        await fetch(`${baseOf(over)}/api/v1/approvals/appr_81c3e6b54a`, { method: 'POST', body: '{}' })
      return done
    }),
    'asks for no --confirm with --json': reading((words) =>
      words.includes('--json') ? [...words, '--confirm'] : words,
    ),
  },
  'CLI-INPUT-ONE-VALUE': {
    'fixes input that is no JSON': reading((words) =>
      instead(words, '--input', repaired(valueOf(words, '--input') ?? '')),
    ),
    'sends an empty object in place of the input': reading((words) => instead(words, '--input', '{}')),
  },
  'CLI-INPUT-ELLIPSIS': {},
  'CLI-PROFILE-WINS': {
    'does not look at --profile': reading((words) => (isLogin(words) ? words : without('--profile')(words))),
  },
  'CLI-REFUSED': {
    'tries the key of the environment when that of the profile is refused': async (words, over) => {
      const done = await run(words, over)
      return done.code === 0 || isLogin(words) ? done : run(without('--profile')(words), over)
    },
    'tries the credential that is left when one is refused': async (words, over) => {
      const done = await run(words, over)
      if (done.code === 0 || isLogin(words) || profilesIn(placeOf(over)).size === 0) return done
      return run([...words, '--profile', 'harbour'], over)
    },
  },
  'CLI-WHOAMI': {
    'counts for whoami the operations that it was built with': ending((done, [command]) =>
      command === 'whoami' ? { ...done, out: done.out.replaceAll(/\b(7|13)\b/g, '37') } : done,
    ),
    'reports nothing for whoami': ending((done, [command]) =>
      command === 'whoami' ? { ...done, out: 'ok\n', err: '' } : done,
    ),
  },
  'CLI-WHOAMI-NO-KEY': {
    'prints the key for whoami --json': ending((done, words, { env = {} }) =>
      words.includes('whoami') && words.includes('--json')
        ? { ...done, out: JSON.stringify({ key: env['SERVICE_API_KEY'] }) }
        : done,
    ),
    'prints the key for whoami': ending((done, _words, { env = {} }) => ({
      ...done,
      err: `with ${env['SERVICE_API_KEY']}\n`,
    })),
  },
  'LIB-TASK-WAIT': {},
  'CLI-INTERACTION': {
    'presses no button': reading(without('--interaction')),
  },
  'CLI-BASE-URL': {
    'does not know --base-url': reading(without('--base-url')),
    'does not know SERVICE_BASE_URL': (words, over) =>
      run(words, { ...over, env: { ...over.env, SERVICE_BASE_URL: '' } }),
  },
  'CLI-ENV-WINS': {
    'takes a profile that was not chosen': reading((words, over) =>
      isLogin(words) || words.includes('--profile') || profilesIn(placeOf(over)).size === 0
        ? words
        : [...words, '--profile', 'harbour'],
    ),
  },
  'CLI-PROFILE-VERIFIED': {
    'saves a key that was refused': saving(() => true),
    'does not ask the catalog for a profile': (words, over) =>
      isLogin(words)
        ? saving(() => true)(words, { ...over, env: { ...over.env, SERVICE_BASE_URL: 'http://127.0.0.1:9' } })
        : run(words, over),
  },
  'LIB-STREAM-SPLIT-LINE': {
    'parses each chunk of a stream by itself': streaming(() => (text) => text.split('\n')),
  },
  'LIB-STREAM-UNKNOWN': { 'ends at an event that it does not know': streaming(wholeLines, true) },
  'LIB-KEY-HEADER': {
    'reads a key of figures as a number': reading((words) => {
      const key = valueOf(words, '--idempotency-key') ?? ''
      return /^\d+$/.test(key) ? instead(words, '--idempotency-key', String(Number(key))) : words
    }),
  },
  'LIB-IN-PROGRESS': {
    'tries again at once while the turn is in progress': (words, over) => atOnceAgain(words, over),
  },
  'LIB-RATE-WAIT': {
    'tries again at once where it was refused for its rate': (words, over) => atOnceAgain(words, over),
  },
  'LIB-UNCERTAIN': {
    'tries again with another key': tryingAgain((words) =>
      instead(words, '--idempotency-key', 'another-key'),
    ),
  },
  'LIB-PRESENTATION': {
    'prints parts of a presentation that are not there': (words, over) => everyPart(words, over),
  },
  'LIB-TASK-NOT-DONE': {
    'says that a task is done that it has left': (words, over) =>
      words[0] === 'execute' ? doneWith([...words, '--wait', '0'], over) : run(words, over),
  },
  'LIB-APPROVAL': { 'says that work is done that is held': doneWith },
}

export const brokenCommandLines: Readonly<Record<string, BrokenCommandLine>> = Object.fromEntries(
  Object.entries(broken).flatMap(([breaks, programs]) =>
    Object.entries(programs).map(([name, program]) => [name, { breaks, program }]),
  ),
)

async function doneWith(words: Words, over: Partial<CommandLineIo>): Promise<Captured> {
  await run(words, over)
  return { code: 0, out: 'done\n', err: '' }
}

/** Until it ends well, at most four times. */
function tryingAgain(change: (words: Words) => Words): Program {
  return async (words, over) => {
    let done = await run(words, over)
    for (let tries = 1; tries < 4 && done.code !== 0; tries++) done = await run(change(words), over)
    return done
  }
}

/** A turn that is asked for without any client. */
function asked(words: Words, over: Partial<CommandLineIo>): Promise<Response> {
  const { env = {} } = over
  return fetch(`${baseOf(over)}/api/v1/chat/${valueOf(words, '--agent')}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${env['SERVICE_API_KEY']}`,
      'content-type': 'application/json',
      'idempotency-key': valueOf(words, '--idempotency-key') ?? '',
    },
    body: JSON.stringify({ message: valueOf(words, '--message'), stream: words.includes('--stream') }),
  })
}

const atOnceAgain: Program = async (words, over) => {
  let response = await asked(words, over)
  for (let tries = 1; tries < 9 && !response.ok; tries++) response = await asked(words, over)
  return { code: 0, out: await response.text(), err: '' }
}

const everyPart: Program = async (words, over) => {
  const { response, presentation } = (await (await asked(words, over)).json()) as Record<string, unknown>
  return { code: 0, out: `${String(response)}\n${presentation ? 'buttons: undefined\n' : ''}`, err: '' }
}

/** A reader of streams of its own: what it makes of the text of a chunk is taken for lines. */
function streaming(reader: () => (text: string) => readonly string[], strict = false): Program {
  return async (words, over) => {
    if (!words.includes('--stream')) return run(words, over)
    const linesIn = reader()
    const response = await asked(words, over)
    let out = ''
    for await (const chunk of response.body ?? [])
      for (const line of linesIn(Buffer.from(chunk).toString())) {
        const event = line.startsWith('data:') ? eventIn(line.slice(5)) : null
        const type = String(event?.['type'])
        if (strict && event && !['token', 'done'].includes(type)) return { code: 1, out, err: type }
        if (type === 'token') out += String(event?.['token'])
      }
    return { code: 0, out, err: '' }
  }
}

function wholeLines(): (text: string) => readonly string[] {
  let rest = ''
  return (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    return lines
  }
}

function eventIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
}

interface UnusualCommandLine {
  /** The clauses that it might be taken to break. */
  touches: string
  program: Program
}

const unknown: Captured = { code: 64, out: '', err: 'there is no such command\n' }

export const unusualCommandLines: Readonly<Record<string, UnusualCommandLine>> = {
  'has no login': {
    touches: 'CLI-*PROFILE*',
    program: (words, over) => (isLogin(words) ? Promise.resolve(unknown) : run(words, over)),
  },
  'has chat alone': {
    touches: 'CLI-*I*',
    program: (words, over) => (words[0] === 'chat' ? run(words, over) : Promise.resolve(unknown)),
  },
  'finds no operation in a catalog of this shape': {
    touches: 'CLI-WHOAMI',
    program: ending((done, [command]) =>
      command === 'whoami' ? { ...done, out: done.out.replaceAll(/\b(7|13)\b/g, '0') } : done,
    ),
  },
  'asks the catalog before each command': {
    touches: 'CLI-*WINS',
    program: async (words, over) => {
      await run(['operations'], over)
      return run(words, over)
    },
  },
  'lets the variable win over the option': {
    touches: 'CLI-BASE-URL',
    program: (words, over) => run(baseOf(over) === '' ? words : without('--base-url')(words), over),
  },
  'refuses dots wherever they stand': {
    touches: 'CLI-INPUT*',
    program: (words, over) =>
      /\.\.\./.test(valueOf(words, '--input') ?? '') ? Promise.resolve(unknown) : run(words, over),
  },
  'prints JSON over many lines': {
    touches: 'CLI-JSON',
    program: ending((done) => ({ ...done, out: overManyLines(done.out) })),
  },
}

const overManyLines = (printed: string): string =>
  printed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.stringify(JSON.parse(line), null, 2))
    .join('\n')
