import { implied, must, stated } from '../../clause.ts'

const flat = 'Errors, Chat status codes, last paragraph'
const flatError = 'Chat errors are a flat JSON object with a text `error`'

export const chatErrorsClauses = {
  'ERR-FLAT': must('A chat error is a JSON object with a text `error`.', stated(flat, flatError)),
  'ERR-JSON': must(
    'A chat error comes with a JSON content type.',
    implied('Endpoints, Base address', 'Bodies and responses are JSON unless streaming'),
  ),
  'ERR-NOT-RECEIPT': must(
    'A chat error is not an operation receipt: `error` is no object.',
    stated(flat, 'with a text `error`, not the operation receipt'),
  ),
  'ERR-KNOWN-STATUS': must(
    'The chat route answers with a status of its table.',
    implied('Errors, Chat status codes', ['400 | invalid body', '401 | invalid or missing API key']),
  ),
  'ERR-500': must(
    'A server error is answered 500 with a flat error.',
    stated('Errors, Chat status codes, 500', ['500 | server error', flatError], { state: 'server.500' }),
  ),
  'ERR-503': must(
    'While it is unavailable the service answers 503 with a flat error.',
    stated('Errors, Chat status codes, 503', ['503 | service temporarily unavailable', flatError], {
      state: 'server.503',
    }),
  ),
} as const
