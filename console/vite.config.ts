/** Makes the page as static files. Nothing stands inline, so that a strict policy admits all of it. */
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  logLevel: 'warn',
  build: {
    target: 'es2022',
    emptyOutDir: true,
    rolldownOptions: {
      // On a busy machine it would print the time that it took.
      checks: { pluginTimings: false },
    },
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
