export const createThingHandlers = (): object => ({});
