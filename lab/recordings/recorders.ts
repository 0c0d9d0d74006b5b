/** Tools that others wrote, each of which sends the same requests and leaves a HAR file of them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, request, type Browser, type Page } from 'playwright-core'
import { freePort } from '../../test/free-port.ts'
import { executable } from '../../test/pages/browser.ts'
import { importTool } from '../../test/tools.ts'

export interface Asked {
  method: 'GET' | 'POST'
  path: string
  headers: Readonly<Record<string, string>>
  body?: string
}

export interface Task {
  /** Of the service. */
  url: string
  asked: readonly Asked[]
  /** Where files go. */
  folder: string
  /** Where the tools are installed. */
  tools: string
  /** The script of mitmproxy that writes HAR, for versions that do not do so themselves. */
  harDump?: string | undefined
}

/** Resolves with the path of the recording; rejects with Unavailable where the tool is not there. */
export type Recorder = (task: Task) => Promise<string>

export class Unavailable extends Error {}

async function withBrowser<T>(doing: (browser: Browser) => Promise<T>): Promise<T> {
  if (executable === undefined) throw new Unavailable('there is no chromium')
  const browser = await chromium.launch({ executablePath: executable, args: ['--no-sandbox'] })
  try {
    return await doing(browser)
  } finally {
    await browser.close()
  }
}

/** A page of the origin of the service, which sends all of it. */
async function sendFromPage(page: Page, { url, asked }: Task): Promise<void> {
  const answer = { contentType: 'text/html', body: '<!doctype html><title>Shop</title>' }
  await page.route(`${url}/shop`, (route) => route.fulfill(answer))
  await page.goto(`${url}/shop`)
  await page.evaluate(async (all) => {
    for (const { path, body = null, ...rest } of all) await (await fetch(path, { ...rest, body })).text()
  }, asked)
}

const playwrightPage: Recorder = (task) =>
  withBrowser(async (browser) => {
    const path = join(task.folder, 'page.har')
    const context = await browser.newContext({ recordHar: { path, content: 'embed' } })
    await sendFromPage(await context.newPage(), task)
    await context.close()
    return path
  })

const playwrightRequests: Recorder = async ({ url, asked, folder }) => {
  const path = join(folder, 'request.har')
  const context = await request.newContext()
  await context.tracing.startHar(path, { content: 'embed' })
  for (const { path: below, body, ...rest } of asked)
    await context.fetch(url + below, { ...rest, ...(body !== undefined && { data: body }) })
  await context.tracing.stopHar()
  await context.dispose()
  return path
}

type HarFromMessages = (messages: readonly object[], options: object) => object
interface Message {
  method: string
  params: { requestId?: string; response?: { url?: string } }
}

/** What it reads of the events of DevTools. */
const devTools =
  'requestWillBeSent requestWillBeSentExtraInfo responseReceived responseReceivedExtraInfo dataReceived loadingFinished loadingFailed'
    .split(' ')
    .map((event) => `Network.${event}`)

/** As its documentation says: from events, with bodies that were asked for. */
const chromeHar: Recorder = (task) =>
  withBrowser(async (browser) => {
    const { harFromMessages } = (await importTool(task.tools, 'chrome-har')) as {
      harFromMessages: HarFromMessages
    }
    const page = await browser.newPage()
    const session = await page.context().newCDPSession(page)
    const messages: Message[] = []
    const bodies: Promise<void>[] = []
    async function readBody(requestId: string): Promise<void> {
      const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId })
      const response = messages.find((one) => one.params.requestId === requestId && one.params.response?.url)
      Object.assign(response?.params.response ?? {}, { body, ...(base64Encoded && { encoding: 'base64' }) })
    }
    for (const method of [...devTools, 'Page.frameStartedLoading', 'Page.loadEventFired'])
      session.on(method as 'Network.loadingFinished', (params: Message['params']) => {
        messages.push({ method, params })
        if (method === 'Network.loadingFinished') bodies.push(readBody(params.requestId ?? ''))
      })
    await session.send('Network.enable')
    await session.send('Page.enable')
    await sendFromPage(page, task)
    await Promise.allSettled(bodies)
    const path = join(task.folder, 'chrome-har.har')
    writeFileSync(path, JSON.stringify(harFromMessages(messages, { includeTextFromResponseBody: true })))
    return path
  })

type Axios = { create(defaults: object): Axios; request(asked: object): Promise<unknown> }

async function sendWithAxios(axios: Axios, { url, asked }: Task): Promise<void> {
  for (const { path, body, ...rest } of asked)
    // Times are in milliseconds there: what is sent in the one in which another ended may have been sent before.
    await axios
      .request({ ...rest, url: url + path, ...(body !== undefined && { data: body }) })
      .catch(() => undefined)
      .then(() => sleep(3))
}

const axiosIn = async ({ tools }: Task): Promise<Axios> =>
  ((await importTool(tools, 'axios')) as { default: Axios }).default.create({ adapter: 'http' })

const axiosHarTracker: Recorder = async (task) => {
  const { AxiosHarTracker } = (await importTool(task.tools, 'axios-har-tracker')) as {
    AxiosHarTracker: new (axios: Axios) => { getGeneratedHar(): object }
  }
  const axios = await axiosIn(task)
  const tracker = new AxiosHarTracker(axios)
  await sendWithAxios(axios, task)
  const path = join(task.folder, 'axios-har-tracker.har')
  writeFileSync(path, JSON.stringify(tracker.getGeneratedHar()))
  return path
}

interface Polly {
  new (name: string, options: object): { stop(): Promise<void> }
  register(part: unknown): void
}
const defaultOf = async (tools: string, name: string): Promise<unknown> => {
  const module = (await importTool(tools, name)) as { default: { default?: unknown } }
  return module.default.default ?? module.default
}

const polly: Recorder = async (task) => {
  const { Polly } = (await importTool(task.tools, '@pollyjs/core')) as { Polly: Polly }
  for (const part of ['adapter-node-http', 'persister-fs'])
    Polly.register(await defaultOf(task.tools, `@pollyjs/${part}`))
  const options = {
    mode: 'record',
    recordFailedRequests: true,
    logLevel: 'silent',
    adapters: ['node-http'],
    persister: 'fs',
    persisterOptions: { fs: { recordingsDir: task.folder } },
  }
  const recording = new Polly('journey', options)
  await sendWithAxios(await axiosIn(task), task)
  await recording.stop()
  const [path] = globSync('journey*/recording.har', { cwd: task.folder })
  if (path === undefined) throw new Error('Polly.JS left no recording')
  return join(task.folder, path)
}

async function listening(port: number, tries = 200): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const isThere = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false)
  socket.destroy()
  if (isThere) return
  if (tries === 0) throw new Error('mitmdump does not listen')
  await sleep(50)
  return listening(port, tries - 1)
}

const mitmproxy: Recorder = async (task) => {
  const { url, folder, harDump, asked } = task
  const path = join(folder, 'mitmproxy.har')
  const port = await freePort()
  const words = ['-q', '--mode', `reverse:${url}`, '--listen-host', '127.0.0.1', '-p', `${port}`]
  const script = harDump === undefined ? [] : ['-s', harDump]
  const child = spawn('mitmdump', [...words, ...script, '--set', `hardump=${path}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit').catch(() => {
    throw new Unavailable('there is no mitmdump')
  })
  try {
    await Promise.race([listening(port), ended])
    if (child.exitCode !== null) throw new Error(`mitmdump ended with ${child.exitCode}`)
    for (const { path: below, body = null, ...rest } of asked)
      await (await fetch(`http://127.0.0.1:${port}${below}`, { ...rest, body })).text()
  } finally {
    child.kill('SIGINT')
    await ended
  }
  // One that does not know the setting ignores it.
  if (!existsSync(path))
    throw new Unavailable('this mitmdump writes no HAR: give its script har_dump.py as --har-dump FILE')
  return path
}

export const recorders = {
  'Playwright, a page': playwrightPage,
  'Playwright, requests': playwrightRequests,
  'chrome-har': chromeHar,
  'axios-har-tracker': axiosHarTracker,
  'Polly.JS': polly,
  mitmproxy,
} as const satisfies Readonly<Record<string, Recorder>>
