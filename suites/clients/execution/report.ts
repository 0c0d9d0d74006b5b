/**
 * What an application says that it saw, a line each on standard output: the word `touchstone`, a blank, and an object.
 * Whatever else is printed is passed over. Nobody has to say anything: what was not told is not judged.
 */
export type { Performance, Told } from '../../../reports/bundle/client-report.ts'
