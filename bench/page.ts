export function writePage(_results: unknown): void {}
