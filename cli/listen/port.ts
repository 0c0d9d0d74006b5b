/** Where `touchstone listen` listens unless it is told otherwise. */
export const listenPort = 4020
