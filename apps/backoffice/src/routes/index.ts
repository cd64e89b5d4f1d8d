import { auditRoutes } from './audit.routes';
import { catalogRoutes } from './catalog.routes';
import { credentialRoutes } from './credentials.routes';
import { fulfillmentRoutes } from './fulfillment.routes';
import type { OpsRoute, RouteDeps } from './ops-route';
import { orderRoutes } from './orders.routes';
import { partnerRoutes } from './partners.routes';
import { rateRoutes } from './rates.routes';
import { reconciliationRoutes } from './reconciliation.routes';
import { statementRoutes } from './statements.routes';
import { walletRoutes } from './wallets.routes';
import { webhookDeliveryRoutes } from './webhook-deliveries.routes';

/** The table of the operators' API (spec §12). */
export function opsRoutes(deps: RouteDeps): OpsRoute[] {
  return [
    partnerRoutes,
    credentialRoutes,
    walletRoutes,
    rateRoutes,
    statementRoutes,
    orderRoutes,
    fulfillmentRoutes,
    webhookDeliveryRoutes,
    catalogRoutes,
    reconciliationRoutes,
    auditRoutes,
  ].flatMap((make) => make(deps));
}
