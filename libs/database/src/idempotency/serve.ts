import { IdempotencyKeyServiceService } from '@reseller/contracts';
import { defineRpc, type RpcService } from '@reseller/rpc';
import type { Queryable } from '../query';
import { findKey, ownerOf } from './idempotency-key.repository';

/** Serves reseller.common.v1.IdempotencyKeyService for the keys of one service. */
export const idempotencyKeyService = (db: Queryable): RpcService =>
  defineRpc(IdempotencyKeyServiceService, {
    async getIdempotencyKey({ key }, call) {
      const known = await findKey(db, ownerOf(call, key));
      return { fingerprint: known?.fingerprint };
    },
  });
