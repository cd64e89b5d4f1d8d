/** What a sample in TypeScript needs around it to be a module: what its reader has already. */
interface Prelude {
  readonly before: string;
  readonly after?: string;
}

const DATABASE = `
  import {
    observeBacklogs,
    reconcileConfig,
    serveReconciler,
    sqlCheck,
    type BacklogDeps,
    type DatabaseSettings,
    type ReconcilerDeps,
    type RetentionRule,
  } from '@reseller/database';
  import { z } from 'zod';
  declare const { pool, log, metrics }: BacklogDeps & ReconcilerDeps;
  declare const config: DatabaseSettings & z.infer<z.ZodObject<typeof reconcileConfig>>;
  const DAY_MS = 86_400_000;
`;

const LIBRARIES = '../../libs';

/** By a text that only this sample has. */
export const PRELUDES: Readonly<Record<string, Prelude>> = {
  'defineWebhookEvent({': {
    before: `
      import { OrderProcessingStarted as OrderDelayed, OrderStatus, WebhookEventType as Known } from '@reseller/contracts';
      import { defineWebhookEvent } from '${LIBRARIES}/presenters/src/webhook-events/define-webhook-event';
      import { exampleOrder } from '${LIBRARIES}/presenters/src/webhook-events/examples';
      import { aboutOrder } from '${LIBRARIES}/presenters/src/webhook-events/order-events';
      // What the page's reader has added by then.
      declare const WebhookEventType: { ORDER_DELAYED: Known };
    `,
  },
  'CaptureFunds: rpc(': {
    before: `
      import { by, isRepeatable, rpc, service } from '${LIBRARIES}/contract-testing/src/prelude';
      import { funded, ofOrder } from '${LIBRARIES}/contract-testing/src/finance/arrange';
      export const funds = service('FundsService', {
    `,
    after: '});',
  },
  "new Fake('finance')": {
    before: `
      import { Fake } from '@reseller/contract-testing';
      import { WalletServiceService } from '@reseller/contracts';
    `,
  },
  'observeBacklogs({': { before: DATABASE },
  "table: 'price_locks'": { before: `${DATABASE}\nexport const rule: RetentionRule =` },
  'sqlCheck({': { before: DATABASE },
  'throw validationFailed(': {
    before: `
      import { AppError, validationFailed } from '@reseller/errors';
      declare const cause: Error;
      export function refuse(isShort: boolean): never {
        if (isShort)
    `,
    after: '}',
  },
  'createEdgeServer({': {
    before: `
      import { createEdgeServer, type EdgeOptions, type EdgeRoute } from '@reseller/http-edge';
      declare const options: EdgeOptions<EdgeRoute>;
      const { edge, pages, observer, connections } = options;
    `,
  },
  'finance.checkFunds(request': {
    before: `
      import { FundsServiceService, type CheckFundsRequest, type CheckFundsResponse } from '@reseller/contracts';
      import { createRpcClient, defineRpc, requirePartner, RpcServer, type CallContext, type CallPartner, type RpcHandlers, type RpcServerOptions } from '@reseller/rpc';
      declare const { log, metrics }: RpcServerOptions;
      declare function checkFunds(partner: CallPartner, request: CheckFundsRequest): Promise<CheckFundsResponse>;
      declare const others: Omit<RpcHandlers<typeof FundsServiceService>, 'checkFunds'>;
      declare const config: { FINANCE_ADDRESS: string };
      declare const request: CheckFundsRequest;
      declare const call: CallContext;
    `,
  },
  'void startService({': {
    before: `
      import path from 'node:path';
      import type { Server } from 'node:http';
      import { FundsServiceService } from '@reseller/contracts';
      import { serviceMigrations } from '@reseller/database';
      import { defineRpc, type RpcHandlers } from '@reseller/rpc';
      import type { Pool } from 'pg';
      declare const handlers: RpcHandlers<typeof FundsServiceService>;
      declare const server: Server;
      declare const pool: Pool;
      declare const relay: { start(): void; stop(): Promise<void> };
      declare function expire(signal: AbortSignal): Promise<void>;
    `,
  },
  'createVendorSimulation({': {
    before: `
      import { createVendorSimulation } from '@reseller/vendor-simulation';
      import type { Pool } from 'pg';
      declare const pool: Pool;
    `,
  },
};
