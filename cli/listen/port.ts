/** The default port of `touchstone listen`. */
export const listenPort = 4020
