import { Fake } from '@reseller/contract-testing';
import {
  BackInStockServiceService,
  CartServiceService,
  CatalogOperationsServiceService,
  CatalogServiceService,
  CheckoutServiceService,
  DiscountCodeServiceService,
  Environment,
  PartnerSettingsServiceService,
  PriceExplanationServiceService,
  RateServiceService,
} from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import {
  closeRpcClients,
  createRpcClients,
  type CallContext,
  type RpcClients,
  type RpcClientTable,
} from '@reseller/rpc';
import { runService } from '@reseller/service-kit';
import { startTestService, type TestService } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import { describeService } from '../src/service';
import { MIGRATIONS } from './scent-database';

const SERVICES = {
  backInStock: [BackInStockServiceService, 'scent-commerce'],
  catalog: [CatalogServiceService, 'scent-commerce'],
  operations: [CatalogOperationsServiceService, 'scent-commerce'],
  partnerSettings: [PartnerSettingsServiceService, 'scent-commerce'],
  carts: [CartServiceService, 'scent-commerce'],
  checkouts: [CheckoutServiceService, 'scent-commerce'],
  discountCodes: [DiscountCodeServiceService, 'scent-commerce'],
  priceExplanations: [PriceExplanationServiceService, 'scent-commerce'],
} as const satisfies RpcClientTable<'scent-commerce'>;

/** The real service in this process, on its own database, with finance faked at gRPC. */
export interface ScentService extends RpcClients<typeof SERVICES>, TestService {
  /** What finance returns, by currency; an AppError is thrown, and for `never` nothing comes. */
  rates: Map<string, string | AppError>;
}

/** Boots scent-commerce as main.ts does, but for the process. */
export async function startScentService(env: Record<string, string> = {}): Promise<ScentService> {
  const rates = new Map<string, string | AppError>();
  const finance = new Fake('finance').on(RateServiceService, {
    getRate: ({ currency }) => {
      const rate = rates.get(currency);
      if (rate instanceof AppError) throw rate;
      if (rate === 'never') return new Promise<never>(() => undefined);
      return { rate };
    },
  });
  await finance.start();
  const service = await startTestService({
    migrations: MIGRATIONS,
    settings: {
      FINANCE_ADDRESS: finance.address,
      // As many as race at once: on a busy machine one that waits for a connection is SERVICE_UNAVAILABLE.
      DATABASE_POOL_SIZE: '25',
      ...env,
    },
    start: (settings) => runService(describeService(MIGRATIONS), settings),
  });
  const { address } = service;
  const clients = createRpcClients(SERVICES, { 'scent-commerce': address }, { defaultDeadlineMs: 60_000 });
  const stop = async (): Promise<void> => {
    closeRpcClients(clients);
    await service.stop();
    await finance.stop();
  };
  return { ...clients, ...service, rates, stop };
}

/** Settings of a partner as scent-commerce keeps them. */
interface TestPartnerSettings {
  ancestors?: string[];
  displayCurrency?: string | null;
  marketingEnabled?: boolean;
  commissionRate?: string | null;
  isVatRegistered?: boolean;
}

/** A partner's call, the partner unknown to the service until `knowPartner`. */
export function callAs(partnerId: string, ancestors: string[] = []): CallContext {
  return {
    requestId: uuidv7(),
    partner: {
      partnerId,
      partnerGlobalId: 'PRT-000001',
      path: [...ancestors, partnerId],
      environment: Environment.LIVE,
      clientId: 'client',
    },
  };
}

/** Writes a partner's settings as its event would have, and returns its call. */
export async function knowPartner(
  { database }: Pick<ScentService, 'database'>,
  settings: TestPartnerSettings = {},
): Promise<{ partnerId: string; call: CallContext }> {
  const partnerId = uuidv7();
  const { ancestors = [] } = settings;
  await database.pool.query(
    `INSERT INTO partner_profiles (partner_id, ancestors, commission_rate, is_vat_registered, display_currency,
       marketing_enabled, is_active, version) VALUES ($1, $2, $3, $4, $5, $6, true, 1)`,
    [
      partnerId,
      [...ancestors, partnerId],
      settings.commissionRate ?? null,
      settings.isVatRegistered ?? false,
      settings.displayCurrency ?? null,
      settings.marketingEnabled ?? false,
    ],
  );
  return { partnerId, call: callAs(partnerId, ancestors) };
}
