import type { findThing } from '../thing/thing.repository';

export type Wrong = typeof findThing;
