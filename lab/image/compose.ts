/** What a compose file of deploy/ describes, as options of `docker run`. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'

export interface Service {
  readonly image: string
  readonly command?: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly depends_on?: Readonly<Record<string, object>>
  readonly ports?: readonly string[]
}

export interface Compose {
  readonly name: string
  readonly services: Readonly<Record<string, Service>>
}

/** Reads a file with the variables that it requires. Throws with its message if one is missing. */
export function readCompose(path: string, variables: Readonly<Record<string, string>>): Compose {
  const text = readFileSync(path, 'utf8').replaceAll(
    /\$\{(\w+):\?([^}]*)\}/g,
    (_, name: string, message: string) => {
      const value = variables[name]
      if (value === undefined) throw new Error(`${path}: ${name}: ${message}`)
      return value
    },
  )
  return parse(text, { merge: true }) as Compose
}

/** Every service after those that it depends on. */
export function inOrder({ services }: Compose): readonly string[] {
  const order = new Set<string>()
  const add = (name: string): void => {
    for (const other of Object.keys(services[name]?.depends_on ?? {})) add(other)
    order.add(name)
  }
  for (const name of Object.keys(services)) add(name)
  return [...order]
}

interface Healthcheck {
  readonly test: readonly string[]
  readonly interval: string
}

const each =
  (option: string) =>
  (values: unknown): readonly string[] =>
    (values as readonly string[]).flatMap((value) => [option, value])

/** Of the keys that a service here may have; a new key needs a row. */
const rows: Readonly<Record<string, (value: unknown, folder: string) => readonly string[]>> = {
  cap_drop: each('--cap-drop'),
  environment: (values) =>
    Object.entries(values as Readonly<Record<string, string>>).flatMap(([name, value]) => [
      '--env',
      `${name}=${value}`,
    ]),
  healthcheck: (value) => {
    const { test, interval } = value as Healthcheck
    // Podman writes the first word, CMD, itself.
    return ['--health-cmd', JSON.stringify(test.slice(1)), '--health-interval', interval]
  },
  ports: each('--publish'),
  // As Docker does it: Podman would add a tmpfs on /run and /var/tmp.
  read_only: () => ['--read-only', '--read-only-tmpfs=false'],
  restart: (value) => ['--restart', String(value)],
  security_opt: each('--security-opt'),
  stop_grace_period: (value) => ['--stop-timeout', String(value).replace(/s$/, '')],
  tmpfs: each('--tmpfs'),
  user: (value) => ['--user', String(value)],
  volumes: (values, folder) =>
    each('--volume')((values as readonly string[]).map((value) => value.replace(/^\.\//, `${folder}/`))),
}

const elsewhere = new Set(['image', 'command', 'entrypoint', 'depends_on'])

/** The options, image and command of a service of the file at `path`. Throws for a key without a row. */
export function runWords(path: string, service: Service): readonly string[] {
  const folder = resolve(dirname(path))
  const options = Object.entries(service)
    .filter(([key]) => !elsewhere.has(key))
    .flatMap(([key, value]) => {
      const row = rows[key]
      if (!row) throw new Error(`${path} has the key ${key}: add a row to lab/image/compose.ts`)
      return row(value, folder)
    })
  const { image, command = [], entrypoint } = service
  const started = entrypoint ? ['--entrypoint', JSON.stringify(entrypoint)] : []
  return [...options, ...started, image, ...command]
}
