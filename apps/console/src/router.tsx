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
import { readOrderFilters, readOverview, readWorld } from './search';

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

const routeTree = root.addChildren([home, overview, orders, order]);

/** The pages by their addresses; a page's own script is fetched when it is first shown or pointed at. */
export const router = createRouter({
  routeTree,
  basepath: import.meta.env.BASE_URL,
  // Filters stand in the address as the API takes them, not as JSON.
  parseSearch: parseSearchWith((value) => value),
  stringifySearch: stringifySearchWith(String),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
