import type { Contract } from '../contract';
import { audit } from './audit.contract';
import { published } from './events.contract';
import { operators } from './operator.contract';
import { partners } from './partner.contract';
import { tokens } from './token.contract';

/** Everything other services may rely on in identity. */
export const identityContract: Contract = {
  app: 'identity',
  dependencies: () => ({}),
  services: [tokens, partners, audit, operators],
  publishes: published,
  consumes: [],
};
