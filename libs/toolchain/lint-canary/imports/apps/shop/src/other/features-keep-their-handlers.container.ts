import { createThingHandlers } from '../thing/thing.handler';

export const wrong = createThingHandlers;
