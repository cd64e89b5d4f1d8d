import { createPool } from '@reseller/database';

export const wrong = createPool;
