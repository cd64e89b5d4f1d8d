import path from 'node:path';

/** The apps that run beside PostgreSQL, each as its own process. */
export const serviceNames = [
  'identity',
  'finance',
  'orders-saga',
  'scent-commerce',
  'notifier',
  'vendor-simulator',
  'backoffice',
  'gateway',
] as const;

/** One of the apps. */
export type ServiceName = (typeof serviceNames)[number];

/** The order of a clean stop: the edges first, then who uses whom, so that work under way can still end. */
export const stopOrder: readonly (readonly ServiceName[])[] = [
  ['gateway', 'backoffice'],
  ['orders-saga', 'scent-commerce', 'notifier'],
  ['identity', 'finance', 'vendor-simulator'],
];

/** Where the bundle of an app is, by that of the starter, beside which the build leaves it. */
export const folderOf = (bundle: string, app: string): string =>
  path.resolve(path.dirname(bundle), '..', app);
