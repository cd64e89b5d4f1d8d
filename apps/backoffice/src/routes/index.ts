import { approvalRoutes } from './approvals.routes';
import { auditRoutes } from './audit.routes';
import { catalogRoutes } from './catalog.routes';
import { certificationRoutes } from './certification.routes';
import { changeRoutes } from './changes.routes';
import { credentialRoutes } from './credentials.routes';
import { deadLetterRoutes } from './dead-letters.routes';
import { erasureRoutes } from './erasures.routes';
import { fulfillmentRoutes } from './fulfillment.routes';
import { limitRoutes } from './limits.routes';
import { operatorTokenRoutes } from './operator-tokens.routes';
import { orderRoutes } from './orders.routes';
import { overviewRoutes } from './overview.routes';
import { partnerRoutes } from './partners.routes';
import { rateRoutes } from './rates.routes';
import { reconciliationRoutes } from './reconciliation.routes';
import type { OpsRoute } from './route';
import { searchRoutes } from './search.routes';
import { statementRoutes } from './statements.routes';
import { walletRoutes } from './wallets.routes';
import { webhookDeliveryRoutes } from './webhook-deliveries.routes';

/** The table of the operators' API, one line a noun (spec §12). */
export const routes: readonly OpsRoute[] = [
  ...partnerRoutes,
  ...credentialRoutes,
  ...certificationRoutes,
  ...walletRoutes,
  ...limitRoutes,
  ...rateRoutes,
  ...statementRoutes,
  ...orderRoutes,
  ...searchRoutes,
  ...overviewRoutes,
  ...changeRoutes,
  ...fulfillmentRoutes,
  ...webhookDeliveryRoutes,
  ...deadLetterRoutes,
  ...approvalRoutes,
  ...catalogRoutes,
  ...reconciliationRoutes,
  ...auditRoutes,
  ...operatorTokenRoutes,
  ...erasureRoutes,
];
