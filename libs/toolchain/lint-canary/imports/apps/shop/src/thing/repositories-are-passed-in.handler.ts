import { findThing } from './thing.repository';

export const wrong = findThing;
