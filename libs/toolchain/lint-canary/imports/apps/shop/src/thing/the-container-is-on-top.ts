import { createContainer } from '../container';

export const wrong = createContainer;
