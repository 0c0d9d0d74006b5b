/** A task for a command line: arguments after the command, in an empty home folder. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { contractIdentifiers, withIdentifiers, type Identifiers } from '../../spec/identifiers.ts'
import { defaultEnv } from '../../suites/clients/command-line/command.ts'
import type { CommandTask, Assignment } from '../../suites/clients/execution/task.ts'
import type { Command } from './child-process.ts'
import { fillPlaceholders } from './task-variables.ts'
import { translateVerb, type Verbs } from './verbs.ts'

interface Place {
  words: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  home: string
  service: Assignment['service']
  verbs?: Verbs
  identifiers?: Identifiers
}

/** Without `env`, it is given the base address and the key. */
export function commandFor(
  { words, env: own = defaultEnv, stdin }: Pick<CommandTask, 'words' | 'env' | 'stdin'>,
  { words: command, env, home, service, verbs = {}, identifiers = contractIdentifiers }: Place,
): Command {
  const values = { base_url: service.baseUrl, api_key: service.apiKey, agent: service.agent, home }
  const put = (text: string): string => fillPlaceholders([text], values)[0] ?? ''
  const given = Object.entries(own).map(([name, value]) => [
    withIdentifiers(name, identifiers),
    value === null ? undefined : put(value),
  ])
  return {
    words: [...command, ...translateVerb(verbs, words).map(put)],
    env: { ...withoutService(env, identifiers), ...homeIn(home), ...Object.fromEntries(given) },
    ...(stdin === undefined ? {} : { stdin }),
  }
}

/** Without the variables that the user's shell has for the service. */
function withoutService(env: Place['env'], { baseUrlVariable, apiKeyVariable }: Identifiers): Place['env'] {
  const own = [baseUrlVariable.replace(/(?<=_)BASE_URL$/, ''), apiKeyVariable.replace(/(?<=_)API_KEY$/, '')]
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !own.some((beginning) => name.startsWith(beginning))),
  )
}

/** Variables for the folders in which programs store user data. */
function homeIn(home: string): Record<string, string> {
  return {
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, 'appdata'),
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_CACHE_HOME: join(home, '.cache'),
  }
}

export async function withHome<T>(doing: (home: string) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), 'touchstone-home-'))
  try {
    return await doing(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
