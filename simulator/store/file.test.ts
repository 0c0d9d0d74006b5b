import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileStore } from './file.ts'
import { storeSuite } from './store-suite.double.ts'

storeSuite(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-file-'))
  const store = openFileStore(join(folder, 'store.db'))
  const end = async (): Promise<void> => {
    await store.close()
    rmSync(folder, { recursive: true })
  }
  return { store, end }
})
