import { getThing } from '../get-thing';

export const wrong = getThing;
