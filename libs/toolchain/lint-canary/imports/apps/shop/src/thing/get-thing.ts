export const getThing = (): string => 'thing';
