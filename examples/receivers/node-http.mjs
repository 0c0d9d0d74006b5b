// A webhook receiver with node:http alone. Run: WEBHOOK_SECRET=... PORT=3000 node node-http.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

/** The service's own word in the names of its headers: `acme` where a delivery carries x-acme-signature. */
const vendor = 'service'

const secret = process.env.WEBHOOK_SECRET
if (!secret)
  throw new Error('WEBHOOK_SECRET is not set: give the secret_key that creating the webhook returned')

const mostBytes = 2 * 1024 * 1024
const rememberMs = 24 * 60 * 60 * 1000

/** Raw bytes, never decoded: the signature is over them. Null where there are too many. */
async function bodyOf(request) {
  const chunks = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length <= mostBytes) chunks.push(chunk)
  }
  return length <= mostBytes ? Buffer.concat(chunks) : null
}

/** Compares bytes of equal number in constant time. Two header lines arrive as one value with a comma, which is no signature. */
function isGenuine(body, given = '') {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const got = Buffer.from(given, 'latin1')
  return got.length === expected.length && timingSafeEqual(got, expected)
}

/** When each delivery id was first seen, oldest first. Several processes need a shared store with an atomic insert. */
const seen = new Map()

/** Looks and remembers in one step without `await`: of two copies at once only one is new. */
function isNew(id, now) {
  for (const [old, at] of seen) {
    if (now - at < rememberMs) break
    seen.delete(old)
  }
  if (seen.has(id)) return false
  seen.set(id, now)
  return true
}

/** How often each delivery was processed: for `touchstone receiver --effects`. */
const effects = new Map()

/** Your own work comes here; what it throws must not end the process. An unknown event is no error. */
function work(id, body) {
  try {
    const { eventType } = JSON.parse(body)
    effects.set(id, (effects.get(id) ?? 0) + 1)
    if (process.env.VERBOSE) console.log(`${eventType} ${id}`)
  } catch (error) {
    console.error(`${id} failed: ${error.message}`)
  }
}

function end(response, status, headers = {}) {
  response.writeHead(status, headers).end()
}

async function receive(request, response) {
  const body = await bodyOf(request)
  if (body === null) return end(response, 413, { connection: 'close' })
  if (!isGenuine(body, request.headers[`x-${vendor}-signature`])) return end(response, 401)
  const id = request.headers[`x-${vendor}-delivery-id`]
  if (!id) return end(response, 400)
  // Answered first and worked on afterwards: the sender waits about ten seconds.
  if (isNew(id, Date.now())) setImmediate(work, id, body)
  return end(response, 204)
}

async function answer(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost')
  if (request.method === 'POST' && pathname === '/webhooks') return receive(request, response)
  // For tests only: it shows anybody which deliveries came.
  if (process.env.EFFECTS && request.method === 'GET' && pathname.startsWith('/effects/'))
    return response.end(String(effects.get(decodeURIComponent(pathname.slice(9))) ?? 0))
  return end(response, 404)
}

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error.message)
    if (!response.headersSent) end(response, 500)
  })
})
server.listen(Number(process.env.PORT ?? 3000), process.env.HOST ?? '127.0.0.1', () => {
  console.log(`listening on ${server.address().port}`)
})
