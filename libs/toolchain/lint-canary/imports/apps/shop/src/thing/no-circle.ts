import { other } from './no-circle.other';

export const wrong = (): unknown => other;
