/** A client with a defect: it sends neither the conversation nor the interaction that it is given. */
const { SERVICE_BASE_URL, SERVICE_API_KEY, TOUCHSTONE_AGENT, ...task } = process.env

const response = await fetch(`${SERVICE_BASE_URL}/api/v1/chat/${TOUCHSTONE_AGENT}`, {
  method: 'POST',
  headers: {
    authorization: `Bearer ${SERVICE_API_KEY}`,
    'content-type': 'application/json',
    'idempotency-key': task['TOUCHSTONE_IDEMPOTENCY_KEY'] ?? crypto.randomUUID(),
  },
  body: JSON.stringify({ message: task['TOUCHSTONE_MESSAGE'] }),
})
process.stdout.write(await response.text())
process.exitCode = response.ok ? 0 : 1
