import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router';
import { Failure } from './parts/failure';
import { NotFound } from './shell/not-found';
import { Shell } from './shell/shell';
import { readFilters, readOrderFilters, readOverview, readWorld, type EnvironmentName } from './search';

const root = createRootRoute({
  component: Shell,
  validateSearch: readWorld,
  errorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
  notFoundComponent: NotFound,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/overview', search: { ...search, ...readOverview({}) } });
  },
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/overview',
  validateSearch: readOverview,
  component: lazyRouteComponent(() => import('./overview/overview-page'), 'OverviewPage'),
});

const orders = createRoute({
  getParentRoute: () => root,
  path: '/orders',
  validateSearch: readOrderFilters,
  component: lazyRouteComponent(() => import('./orders/orders-page'), 'OrdersPage'),
});

const order = createRoute({
  getParentRoute: () => root,
  path: '/orders/$orderGlobalId',
  component: lazyRouteComponent(() => import('./orders/order-page'), 'OrderPage'),
});

const partners = createRoute({
  getParentRoute: () => root,
  path: '/partners',
  validateSearch: readFilters('name'),
  component: lazyRouteComponent(() => import('./partners/partners-page'), 'PartnersPage'),
});

const partner = createRoute({
  getParentRoute: () => root,
  path: '/partners/$partnerId',
  validateSearch: readFilters('tab', 'transactionType', 'fromDate', 'toDate'),
  component: lazyRouteComponent(() => import('./partners/partner-page'), 'PartnerPage'),
});

/** Sends on to the sandbox whoever comes with another environment. */
function inSandbox({ search }: { readonly search: { readonly environment: EnvironmentName } }): void {
  if (search.environment !== 'sandbox')
    throw redirect({ to: '.', search: { ...search, environment: 'sandbox' } as never, replace: true });
}

const onboarding = createRoute({
  getParentRoute: () => root,
  path: '/onboarding',
  validateSearch: readFilters('partnerId'),
  // What is made here is made in the sandbox, whatever was looked at before.
  beforeLoad: inSandbox,
  component: lazyRouteComponent(() => import('./partners/onboarding-page'), 'OnboardingPage'),
});

const fulfillment = createRoute({
  getParentRoute: () => root,
  path: '/fulfillment',
  validateSearch: readFilters('status'),
  component: lazyRouteComponent(() => import('./orders/groups-page'), 'GroupsPage'),
});

const returns = createRoute({
  getParentRoute: () => root,
  path: '/returns',
  validateSearch: readFilters('status', 'sort'),
  component: lazyRouteComponent(() => import('./returns/returns-page'), 'ReturnsPage'),
});

const deliveries = createRoute({
  getParentRoute: () => root,
  path: '/webhook-deliveries',
  validateSearch: readFilters('status', 'subscriptionId'),
  component: lazyRouteComponent(() => import('./webhooks/deliveries-page'), 'DeliveriesPage'),
});

const deadLetters = createRoute({
  getParentRoute: () => root,
  path: '/dead-letters',
  validateSearch: readFilters('service', 'reason', 'state', 'event'),
  component: lazyRouteComponent(() => import('./webhooks/dead-letters-page'), 'DeadLettersPage'),
});

const catalog = createRoute({
  getParentRoute: () => root,
  path: '/catalog',
  validateSearch: readFilters('availability', 'isActive', 'search', 'brandId'),
  component: lazyRouteComponent(() => import('./catalog/catalog-page'), 'CatalogPage'),
});

const variant = createRoute({
  getParentRoute: () => root,
  path: '/catalog/$variantId',
  component: lazyRouteComponent(() => import('./catalog/variant-page'), 'VariantPage'),
});

const brands = createRoute({
  getParentRoute: () => root,
  path: '/brands',
  validateSearch: readFilters(),
  component: lazyRouteComponent(() => import('./catalog/brands-page'), 'BrandsPage'),
});

const rates = createRoute({
  getParentRoute: () => root,
  path: '/rates',
  validateSearch: readFilters(),
  component: lazyRouteComponent(() => import('./money/rates-page'), 'RatesPage'),
});

const statements = createRoute({
  getParentRoute: () => root,
  path: '/statements',
  validateSearch: readFilters('partnerId'),
  component: lazyRouteComponent(() => import('./money/statements-page'), 'StatementsPage'),
});

const reconciliation = createRoute({
  getParentRoute: () => root,
  path: '/reconciliation',
  validateSearch: readFilters('service', 'check', 'state'),
  component: lazyRouteComponent(() => import('./reconciliation/reconciliation-page'), 'ReconciliationPage'),
});

const approvals = createRoute({
  getParentRoute: () => root,
  path: '/approvals',
  validateSearch: readFilters('status'),
  component: lazyRouteComponent(() => import('./money/approvals-page'), 'ApprovalsPage'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: readFilters('partnerId', 'from', 'to'),
  component: lazyRouteComponent(() => import('./audit/audit-page'), 'AuditPage'),
});

const operatorTokens = createRoute({
  getParentRoute: () => root,
  path: '/operator-tokens',
  validateSearch: readFilters(),
  component: lazyRouteComponent(() => import('./audit/operator-tokens-page'), 'OperatorTokensPage'),
});

const routeTree = root.addChildren([
  ...[home, overview, orders, order, partners, partner, onboarding, fulfillment, returns],
  ...[deliveries, deadLetters, catalog, variant, brands, rates, statements],
  ...[reconciliation, approvals, audit, operatorTokens],
]);

/** The pages by their addresses; a page's own script is fetched when it is first shown or pointed at. */
export const router = createRouter({
  routeTree,
  basepath: import.meta.env.BASE_URL,
  // Filters stand in the address as the API takes them, not as JSON.
  parseSearch: parseSearchWith((value) => value),
  stringifySearch: stringifySearchWith(String),
  defaultPreload: 'intent',
  // The page of one thing never goes on as that of another, with what was typed there.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
