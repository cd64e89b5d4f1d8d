export const findThing = (): string => 'thing';
