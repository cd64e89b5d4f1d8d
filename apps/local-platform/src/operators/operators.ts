import { createHmac } from 'node:crypto';

/** Someone who may sign in on this machine, as platform.json names him. */
export interface LocalOperator {
  role: string;
  username: string;
  password: string;
  name: string;
}

const OPERATOR_ROLES = ['viewer', 'support', 'finance', 'catalog', 'partners', 'admin'];

/** What the identity provider of this machine's operators calls itself, and where it is reached. */
export const issuerOf = (port: number): string => `http://127.0.0.1:${port}`;

/** One operator for each role; the passwords are the same at every start (spec §18.1). */
export const localOperators = (key: string): LocalOperator[] =>
  OPERATOR_ROLES.map((role) => ({
    role,
    username: role,
    password: createHmac('sha256', key).update(role).digest('base64url').slice(0, 24),
    name: `Local ${role}`,
  }));
