/** The apps an image is made of, each from the same Dockerfile. */
export const APP_NAMES = [
  'identity',
  'finance',
  'scent-commerce',
  'orders-saga',
  'notifier',
  'gateway',
  'backoffice',
  'vendor-simulator',
] as const;

/** One of the apps. */
export type AppName = (typeof APP_NAMES)[number];
