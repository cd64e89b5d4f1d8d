export const createContainer = (): object => ({});
