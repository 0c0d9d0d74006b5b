/** `npm run collections [-- FOLDER]`: writes a Postman and a Bruno collection of the contract (default: `collections/`). */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import openapi from '../spec/bundled/openapi.json' with { type: 'json' }
import { brunoCollection } from './collections/bruno.ts'
import { postmanCollection } from './collections/postman.ts'

const [folder = 'collections'] = process.argv.slice(2)
const { title } = openapi.info
const bruno = Object.entries(brunoCollection(title)).map(([path, text]) => [join('bruno', path), text])
const files = {
  'postman.json': `${JSON.stringify(postmanCollection(title), null, 2)}\n`,
  ...Object.fromEntries(bruno),
}

rmSync(join(folder, 'bruno'), { recursive: true, force: true })
for (const [path, text] of Object.entries<string>(files)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
console.log(`${join(folder, 'postman.json')}\n${join(folder, 'bruno')}`)
