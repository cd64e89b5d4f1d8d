import { Pool } from 'pg';

export const wrong = Pool;
