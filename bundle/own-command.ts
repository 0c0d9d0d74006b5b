/** How a printed command is started: it runs what is installed, and the name is nobody else's where nothing is. */
export const ownCommand = 'npx @touchstone-suite/touchstone'
