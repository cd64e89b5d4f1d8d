import { createThingHandlers } from './thing.handler';

export const wrong = createThingHandlers;
