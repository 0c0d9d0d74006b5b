/** How a printed command is started if it is not known how the user does. */
export const ownCommand = 'npx touchstone'

export const simulatorPort = 4010
export const simulatorUrl = `http://127.0.0.1:${simulatorPort}`
