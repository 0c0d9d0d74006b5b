/** Command lines as they should not be, and as they may be: ours, with one thing changed from outside. */
import { run, type Captured } from '../client/command-line/process.double.ts'
import type { Io } from '../client/command-line/io.ts'
import { profilesIn, saveProfile } from '../client/command-line/profiles.ts'
import { speechOf } from '../client/command-line/vendor.ts'

export type Program = (words: readonly string[], over: Partial<Io>) => Promise<Captured>

interface BrokenCommandLine {
  /** The clause that has to be found broken. */
  breaks: string
  program: Program
}

type Words = readonly string[]

/** Words that reach our own command line are others than those that were typed. */
const reading =
  (change: (words: Words, over: Partial<Io>) => Words): Program =>
  (words, over) =>
    run(change(words, over), over)

/** What comes of it is something else. */
const ending =
  (change: (done: Captured, words: Words, over: Partial<Io>) => Captured | Promise<Captured>): Program =>
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

const placeOf = (over: Partial<Io>): Parameters<typeof profilesIn>[0] => ({
  env: over.env ?? {},
  home: over.home ?? '',
  windows: false,
  speech: speechOf({}, over.env ?? {}),
})

const isLogin = ([command]: Words): boolean => command === 'login'
const baseOf = ({ env = {} }: Partial<Io>): string => env['SERVICE_BASE_URL'] ?? ''

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

export const brokenCommandLines: Readonly<Record<string, BrokenCommandLine>> = {
  'makes up an agent': { breaks: 'CLI-CHAT-REQUIRED', program: filling('--agent', 'agent_of_mine') },
  'makes up a message': { breaks: 'CLI-CHAT-REQUIRED', program: filling('--message', 'Hello') },
  'makes up an idempotency key': {
    breaks: 'CLI-CHAT-REQUIRED',
    program: filling('--idempotency-key', 'made-up'),
  },
  'ends as if all were well': {
    breaks: 'CLI-CHAT-REQUIRED',
    program: ending((done) => ({ ...done, code: 0 })),
  },
  'begins a conversation anew': {
    breaks: 'CLI-CHAT-OPTIONS',
    program: reading(without('--conversation-id')),
  },
  'never asks for a stream': { breaks: 'CLI-CHAT-OPTIONS', program: reading(without('--stream', 0)) },
  'prints words for --json': { breaks: 'CLI-JSON', program: reading(without('--json', 0)) },
  'prints a word before its JSON': {
    breaks: 'CLI-JSON',
    program: ending((done) => ({ ...done, out: `Reply: ${done.out}` })),
  },
  'begins a conversation anew where it streams': {
    breaks: 'CLI-CHAT-OPTIONS',
    program: reading((words) => (words.includes('--stream') ? without('--conversation-id')(words) : words)),
  },
  'says that held work is completed': {
    breaks: 'CLI-CONFIRM',
    program: ending((done, words) =>
      words.includes('--confirm') ? { code: 0, out: 'Status: completed\n', err: '' } : done,
    ),
  },
  'takes the first value of its input': {
    breaks: 'CLI-INPUT-ONE-VALUE',
    program: reading((words) =>
      instead(
        words,
        '--input',
        /^\{[^{}]*\}(?= )/.exec(valueOf(words, '--input') ?? '')?.[0] ?? valueOf(words, '--input') ?? '',
      ),
    ),
  },
  'takes an ellipsis in an array': {
    breaks: 'CLI-INPUT-ELLIPSIS',
    program: reading((words) =>
      instead(words, '--input', (valueOf(words, '--input') ?? '').replace(/, \.\.\.\]/, ']')),
    ),
  },
  'does not look at --profile where it streams': {
    breaks: 'CLI-PROFILE-WINS',
    program: reading((words) => (words.includes('--stream') ? without('--profile')(words) : words)),
  },
  'tries the key of the environment when that of the profile is refused': {
    breaks: 'CLI-REFUSED',
    program: async (words, over) => {
      const done = await run(words, over)
      return done.code === 0 || isLogin(words) ? done : run(without('--profile')(words), over)
    },
  },
  'counts for whoami what it was built with': {
    breaks: 'CLI-WHOAMI',
    program: ending((done, [command]) =>
      command === 'whoami' ? { ...done, out: done.out.replaceAll(/\d+/g, '13') } : done,
    ),
  },
  'prints the key for whoami --json': {
    breaks: 'CLI-WHOAMI-NO-KEY',
    program: ending((done, words, { env = {} }) =>
      words.includes('whoami') && words.includes('--json')
        ? { ...done, out: JSON.stringify({ key: env['SERVICE_API_KEY'] }) }
        : done,
    ),
  },
  'reads a cancelled task on': {
    breaks: 'LIB-TASK-WAIT',
    program: ending(async (done, words, over) => {
      if (words.includes('customers.import') && done.code !== 0)
        for (let reads = 0; reads < 5; reads++)
          await (await fetch(`${baseOf(over)}/api/v1/tasks/task_4f2a9c71d0`)).text()
      return done
    }),
  },
  'presses no button': { breaks: 'CLI-INTERACTION', program: reading(without('--interaction')) },
  'writes numbers of a button as texts': {
    breaks: 'CLI-INTERACTION',
    program: reading((words) =>
      instead(words, '--interaction', (valueOf(words, '--interaction') ?? '').replaceAll(/:(\d+)/g, ':"$1"')),
    ),
  },
  'does not know --base-url': { breaks: 'CLI-BASE-URL', program: reading(without('--base-url')) },
  'does not know SERVICE_BASE_URL': {
    breaks: 'CLI-BASE-URL',
    program: (words, over) => run(words, { ...over, env: { ...over.env, SERVICE_BASE_URL: '' } }),
  },
  'approves what it was told to confirm': {
    breaks: 'CLI-CONFIRM',
    program: ending(async (done, words, over) => {
      if (words.includes('--confirm'))
        await fetch(`${baseOf(over)}/api/v1/approvals/appr_81c3e6b54a`, { method: 'POST', body: '{}' })
      return done
    }),
  },
  'mends input that is no JSON': {
    breaks: 'CLI-INPUT-ONE-VALUE',
    program: reading((words) => instead(words, '--input', repaired(valueOf(words, '--input') ?? ''))),
  },
  'sends an empty object in place of the input': {
    breaks: 'CLI-INPUT-ONE-VALUE',
    program: reading((words) => instead(words, '--input', '{}')),
  },
  'fills in what an ellipsis stands for': {
    breaks: 'CLI-INPUT-ELLIPSIS',
    program: reading((words) =>
      /\.\.\.|…/.test(valueOf(words, '--input') ?? '') ? instead(words, '--input', repaired('')) : words,
    ),
  },
  'does not look at --profile': {
    breaks: 'CLI-PROFILE-WINS',
    program: reading((words) => (isLogin(words) ? words : without('--profile')(words))),
  },
  'takes a profile that was not chosen': {
    breaks: 'CLI-ENV-WINS',
    program: reading((words, over) =>
      isLogin(words) || words.includes('--profile') || profilesIn(placeOf(over)).size === 0
        ? words
        : [...words, '--profile', 'harbour'],
    ),
  },
  'saves a key that was refused': { breaks: 'CLI-PROFILE-VERIFIED', program: saving(() => true) },
  'does not ask the catalog for a profile': {
    breaks: 'CLI-PROFILE-VERIFIED',
    program: (words, over) =>
      isLogin(words)
        ? saving(() => true)(words, { ...over, env: { ...over.env, SERVICE_BASE_URL: 'http://127.0.0.1:9' } })
        : run(words, over),
  },
  'reports nothing for whoami': {
    breaks: 'CLI-WHOAMI',
    program: ending((done, [command]) => (command === 'whoami' ? { ...done, out: 'ok\n', err: '' } : done)),
  },
  'prints the key for whoami': {
    breaks: 'CLI-WHOAMI-NO-KEY',
    program: ending((done, _words, { env = {} }) => ({ ...done, err: `with ${env['SERVICE_API_KEY']}\n` })),
  },
  'tries the credential that is left when one is refused': {
    breaks: 'CLI-REFUSED',
    program: async (words, over) => {
      const done = await run(words, over)
      if (done.code === 0 || isLogin(words) || profilesIn(placeOf(over)).size === 0) return done
      return run([...words, '--profile', 'harbour'], over)
    },
  },
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
