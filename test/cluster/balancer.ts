/** nginx before some replicas, as a team would put it there: it deals requests out in turn. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { freePort } from '../../bench/processes/server-process.ts'

/** Where Debian puts it; not always on the path of a user. */
const program = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx'].find((path) =>
  existsSync(path),
)

/** Why it cannot be started here; undefined: it can. */
export const noBalancer: string | undefined = program
  ? undefined
  : 'nginx is not on this machine: apt-get install nginx-light'

export interface Balancer extends AsyncDisposable {
  readonly url: string
}

/** As docs/shared.md has it. `listen`: a port, or an address with one; `replicas`: hosts with their ports. */
export function front(listen: string, replicas: readonly string[]): string {
  return `upstream simulators {
${replicas.map((host) => `  server ${host} max_fails=0;`).join('\n')}
  keepalive 32;
}
server {
  listen ${listen};
  client_max_body_size 16m;
  location / {
    proxy_pass http://simulators;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_buffering off;
    proxy_request_buffering off;
    proxy_read_timeout 1h;
    proxy_connect_timeout 2s;
    proxy_next_upstream error timeout;
  }
}
`
}

/** What is around it keeps nginx within its folder. */
function configuration(folder: string, port: number, replicas: readonly string[]): string {
  const hosts = replicas.map((url) => new URL(url).host)
  return `daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 4096; }
http {
access_log off;
client_body_temp_path ${folder}/body;
proxy_temp_path ${folder}/proxy;
fastcgi_temp_path ${folder}/fastcgi;
uwsgi_temp_path ${folder}/uwsgi;
scgi_temp_path ${folder}/scgi;
${front(`127.0.0.1:${port}`, hosts)}}
`
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await request(`${url}/healthz`)
    await answer.body.dump()
    return true
  } catch {
    return false
  }
}

/** Throws where nginx is missing; ask `noBalancer` before. */
export async function startBalancer(replicas: readonly string[]): Promise<Balancer> {
  if (!program) throw new Error(noBalancer)
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-nginx-'))
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']) mkdirSync(join(folder, name))
  const port = await freePort()
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port, replicas))
  const nginx = spawn(
    program,
    ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const ended = once(nginx, 'exit')
  const stop = async (): Promise<void> => {
    nginx.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  for (let left = 200; !(await answers(url)); left--) {
    if (left === 0 || nginx.exitCode !== null) {
      await stop()
      throw new Error('nginx did not begin to answer; see what it printed.')
    }
    await pause(20)
  }
  return { url, [Symbol.asyncDispose]: stop }
}
