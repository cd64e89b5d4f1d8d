import type { Credential } from '../platform/platform-file';
import { insistOn } from './insist';
import { expectSuccess, send } from './response';
import type { ApiResponse, SendOptions } from './response';
import type { Balance, EsimOrder, OrderSummary, Page, TopupOrder, Transaction } from './resources';

/** A top-up's body; the amount a JSON number. */
export interface TopupBody {
  readonly externalReference: string;
  readonly geoScopeGlobalId: string;
  readonly amount: number;
  readonly phoneNumber: string;
  readonly sagaId?: string;
}

/** An eSIM's body; amounts are JSON numbers. */
export interface EsimBody {
  readonly externalReference: string;
  readonly geoScopeGlobalId: string;
  readonly productSku: string;
  readonly email: string;
  readonly amount: number;
  readonly dataAllowance?: number;
  readonly validityDays?: number;
  readonly sagaId?: string;
}

const REFRESH_BEFORE_MS = 30_000;

/** A partner's program: caches its token as the specification advises and sends it with every call. */
export class PartnerClient {
  private token: { value: string; until: number } | undefined;

  constructor(
    readonly gatewayUrl: string,
    private readonly credential: Credential,
    private readonly onBehalfOf?: string,
  ) {}

  /** The bearer token, fetched anew when it is about to expire. */
  async accessToken(): Promise<string> {
    if (this.token && this.token.until > Date.now()) return this.token.value;
    const { accessToken, expiresIn } = expectSuccess(
      await send<{ accessToken: string; expiresIn: number }>(`${this.gatewayUrl}/api/v1/auth/token`, {
        body: { ...this.credential, ...(this.onBehalfOf ? { onBehalfOf: this.onBehalfOf } : {}) },
      }),
    );
    this.token = { value: accessToken, until: Date.now() + expiresIn * 1000 - REFRESH_BEFORE_MS };
    return accessToken;
  }

  /** One call under /api/v1. */
  async call<T>(path: string, options: SendOptions = {}): Promise<ApiResponse<T>> {
    const authorization = `Bearer ${await this.accessToken()}`;
    return send<T>(`${this.gatewayUrl}/api/v1${path}`, {
      ...options,
      headers: { authorization, ...options.headers },
    });
  }

  topup = (body: TopupBody): Promise<ApiResponse<TopupOrder>> => this.call('/orders/topup', { body });

  esim = (body: EsimBody): Promise<ApiResponse<EsimOrder>> => this.call('/orders/esim', { body });

  esimOrder = (orderId: string): Promise<EsimOrder> => this.read(`/orders/esim/${orderId}`);

  order = (orderId: string): Promise<TopupOrder> => this.read(`/orders/topup/${orderId}`);

  balance = (): Promise<Balance> => this.read('/wallet/balance');

  /** Every ledger line, newest first. */
  transactions = (): Promise<Transaction[]> => this.all<Transaction>('/wallet/transactions');

  /** Every top-up order, newest first. */
  orders = (): Promise<TopupOrder[]> => this.all<TopupOrder>('/orders/topup');

  /** Orders of every product, newest first. */
  allOrders = (): Promise<OrderSummary[]> => this.all<OrderSummary>('/orders');

  /** A resource; one that cannot be read at present is read again. */
  read<T>(path: string): Promise<T> {
    return insistOn(() => this.call<T>(path));
  }

  /** All pages of a list, one after the other. */
  async all<T>(path: string): Promise<T[]> {
    const found: T[] = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const response = await this.read<Page<T>>(`${path}?pageSize=100&page=${page}`);
      found.push(...response.items);
      pages = response.pagination.totalPages;
    }
    return found;
  }
}
