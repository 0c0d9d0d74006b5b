/** What was said in conversations over the routes of the older variant. */
import { plainCodec } from './conversations.ts'

export const historyCodec = plainCodec(({ older }) => older.histories)
