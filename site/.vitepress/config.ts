export { default } from '../configuration.ts'
