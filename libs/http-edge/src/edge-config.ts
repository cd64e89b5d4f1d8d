import { envInteger } from '@reseller/service-kit';
import type { z } from 'zod';

// What a sender may take is bounded, so that no setting breaks the promise of 60 s (spec §14.1).
const patience = (max: number) => envInteger({ min: 100, max, unit: 'milliseconds' });
const connections = (min: number) => envInteger({ min, max: 1_000_000, unit: 'connections' });

/** What every edge reads from its environment of its connections; libs/http-edge/README.md says what each is for. */
export const edgeConfig = {
  HEADERS_TIMEOUT_MS: patience(20_000).default(10_000),
  REQUEST_TIMEOUT_MS: patience(50_000).default(30_000),
  KEEP_ALIVE_TIMEOUT_MS: patience(600_000).default(65_000),
  UNREAD_RESPONSE_TIMEOUT_MS: patience(50_000).default(30_000),
  MAX_CONNECTIONS: connections(1).default(5_000),
  MAX_CONNECTIONS_PER_ADDRESS: connections(0).default(500),
};

/** The settings of an edge's connections. */
export type EdgeConfig = { readonly [K in keyof typeof edgeConfig]: z.output<(typeof edgeConfig)[K]> };
