import { randomUUID } from 'node:crypto';
import type { Credential, EnvironmentName, PlatformDescription } from '../platform/platform-file';
import { insistOn } from './insist';
import { expectSuccess, send } from './response';
import type { ApiResponse, SendOptions } from './response';
import { PartnerClient } from './partner-client';
import type { Partner, Transaction } from './resources';

/** A partner made for one test, with a program for each environment. */
export interface TestPartner {
  readonly id: string;
  readonly globalId: string;
  readonly sandbox: PartnerClient;
  readonly live: PartnerClient;
  readonly credentials: Readonly<Record<EnvironmentName, Credential>>;
}

/** An operator at backoffice's API. */
export class OperatorClient {
  constructor(private readonly platform: PlatformDescription) {}

  /** One call under /ops/v1. */
  call<T>(path: string, options: SendOptions = {}): Promise<ApiResponse<T>> {
    const authorization = `Bearer ${this.platform.operatorToken}`;
    return send<T>(`${this.platform.backofficeUrl}/ops/v1${path}`, {
      ...options,
      headers: { authorization, ...options.headers },
    });
  }

  /** A read that must succeed; repeated while its response says to. */
  get = <T>(path: string): Promise<T> => insistOn(() => this.call<T>(path));
  /** One call that must succeed. */
  post = async <T>(path: string, body: object = {}): Promise<T> =>
    expectSuccess(await this.call<T>(path, { body }));
  patch = async <T>(path: string, body: object): Promise<T> =>
    expectSuccess(await this.call<T>(path, { method: 'PATCH', body }));

  createPartner = (body: object): Promise<Partner> => this.post<Partner>('/partners', body);

  /** A new credential as the token endpoint takes it. */
  createCredential = async (partnerId: string, environment: EnvironmentName): Promise<Credential> => {
    const { clientId, clientSecret } = await this.post<Credential>(`/partners/${partnerId}/credentials`, {
      environment,
    });
    return { clientId, clientSecret };
  };

  openWallet = (partnerId: string, environment: EnvironmentName): Promise<unknown> =>
    this.post(`/partners/${partnerId}/wallet`, { environment });

  credit = (partnerId: string, environment: EnvironmentName, amount: number): Promise<Transaction> =>
    this.post<Transaction>(`/partners/${partnerId}/wallet/credit`, {
      environment,
      amount,
      notes: 'Test deposit',
      idempotencyKey: randomUUID(),
    });

  /** A fresh partner with both credentials and, given a deposit, a wallet of that many SAR in each environment. */
  async newPartner(options: { deposit?: number; settings?: object } = {}): Promise<TestPartner> {
    const partner = await this.createPartner({ name: `Test ${randomUUID()}`, ...options.settings });
    const credentials = {
      sandbox: await this.createCredential(partner.id, 'sandbox'),
      live: await this.createCredential(partner.id, 'live'),
    };
    if (options.deposit !== undefined) {
      for (const environment of ['sandbox', 'live'] as const) {
        await this.openWallet(partner.id, environment);
        if (options.deposit > 0) await this.credit(partner.id, environment, options.deposit);
      }
    }
    return this.existingPartner({ id: partner.id, globalId: partner.globalId, credentials });
  }

  /** Programs for a partner that is there already. */
  existingPartner(known: Pick<TestPartner, 'id' | 'globalId' | 'credentials'>): TestPartner {
    const { gatewayUrl } = this.platform;
    const { id, globalId, credentials } = known;
    return {
      id,
      globalId,
      credentials,
      sandbox: new PartnerClient(gatewayUrl, credentials.sandbox),
      live: new PartnerClient(gatewayUrl, credentials.live),
    };
  }
}
