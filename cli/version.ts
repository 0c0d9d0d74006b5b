import manifest from '../package.json' with { type: 'json' }

export const packageName = (): string => manifest.name
export const version = (): string => manifest.version
