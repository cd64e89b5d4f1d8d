export const plan = 'top-up';
