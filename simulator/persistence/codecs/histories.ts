/** What was said in conversations over the routes of the older variant. */
import { plain } from './conversations.ts'

export const histories = plain(({ older }) => older.histories)
