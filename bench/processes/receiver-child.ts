/** A webhook receiver that responds 200, or never. Sends its port once it listens. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { endWithParent } from './child-requests.ts'

const hangs = process.argv[2] === 'hang'
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => void (hangs || response.end()))
})
endWithParent()
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
