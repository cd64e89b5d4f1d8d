import { status, type ServiceError } from '@grpc/grpc-js';
import type { Counter } from 'prom-client';
import { setTimeout as pause } from 'node:timers/promises';
import { policyOf, splitPath, type RpcMethod } from './definition';
import { ERROR_TRAILER, RETRY_PUSHBACK } from './error-trailer';
import { rpcRetryCounter } from './rpc-metrics';
import type { RpcClientOptions } from './rpc-options';

const MOST_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 25;
const GROWTH = 4;

/**
 * How often calls to a downstream service may be repeated: each lost call takes a token, each success gives a tenth back, and at half of them
 * nothing is repeated. So the calls that an instance takes with it when it dies are, but repetitions add no more than a tenth to
 * the load for long, and stop while most calls are lost.
 */
export class RetryBudget {
  private static readonly most = 100;
  private tokens = RetryBudget.most;

  succeeded(): void {
    if (this.tokens < RetryBudget.most) this.tokens = Math.min(RetryBudget.most, this.tokens + 0.1);
  }

  failed(): void {
    this.tokens = Math.max(0, this.tokens - 1);
  }

  get allows(): boolean {
    return this.tokens > RetryBudget.most / 2;
  }
}

/** Sends one method's calls, again where the contract allows it and the first way was lost (docs/adr/0002). */
export interface Retries {
  /** `isOnce`: not again once it may have reached a handler, whatever the contract says. */
  run(
    send: () => Promise<unknown>,
    deadline: number,
    signal: AbortSignal | undefined,
    isOnce: boolean,
  ): Promise<unknown>;
}

/** The retries of a method: of calls that never reached a handler always, of lost ones as contract and client allow. */
export function retriesOf(method: RpcMethod, client: RpcClientOptions, budget: RetryBudget): Retries {
  const { idempotency } = policyOf(method);
  const rule = client.retries ?? 'idempotent';
  const isRead = idempotency === 'NO_SIDE_EFFECTS';
  const isSafe = isRead || (idempotency === 'IDEMPOTENT' && rule === 'idempotent');
  const { service, method: name } = splitPath(method.path);
  const counter: Counter | undefined = client.metrics && rpcRetryCounter(client.metrics);
  const count = (outcome: string): void =>
    counter?.inc({ peer: client.name, rpc_service: service, method: name, outcome });
  return {
    async run(send, deadline, signal, isOnce) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          const response = await send();
          budget.succeeded();
          return response;
        } catch (error) {
          const isUnheard = wasRefused(error);
          if (!isUnheard && (isOnce || !isSafe || !wasLost(error))) throw error;
          if (!isUnheard) budget.failed();
          const pauseMs = FIRST_PAUSE_MS * GROWTH ** (attempt - 1) * (0.5 + Math.random());
          if (attempt === MOST_ATTEMPTS || Date.now() + pauseMs >= deadline) throw error;
          if (!isUnheard && !budget.allows) {
            count('budget spent');
            throw error;
          }
          count('sent again');
          await pause(pauseMs, undefined, { signal }).catch(() => {
            throw error;
          });
        }
      }
    },
  };
}

/**
 * Whether the peer's HTTP/2 refused the stream, so that no handler saw it: the connection was being ended. grpc-js passes such a
 * call on by itself once, which is not enough when the next connection ends too, and reports it by this text alone.
 */
function wasRefused(error: unknown): boolean {
  const { code, details, metadata } = error as Partial<ServiceError>;
  const isServerResponse = (metadata?.get(ERROR_TRAILER).length ?? 0) > 0;
  return code === status.UNAVAILABLE && !isServerResponse && details === 'Stream refused by server';
}

/** Whether nobody responded: the connection broke, or the server says itself that another may be called at once. */
function wasLost(error: unknown): boolean {
  const { code, metadata } = error as Partial<ServiceError>;
  if (code !== status.UNAVAILABLE) return false;
  const isServerResponse = (metadata?.get(ERROR_TRAILER).length ?? 0) > 0;
  return !isServerResponse || Number(metadata?.get(RETRY_PUSHBACK)[0] ?? -1) >= 0;
}
