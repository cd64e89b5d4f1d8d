import { redirectPage, securityHeaders, type Page, type StaticFiles } from '@reseller/http-edge';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Only what this server itself serves may run or be loaded; the page holds an operator's token. */
const policy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  connectSrc: ["'self'"],
  formAction: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};

/** Where an operator may come in. */
export const consoleDoors: [path: string, page: Page][] = [
  ['/', redirectPage('/console/')],
  ['/console', redirectPage('/console/')],
];

/** The web console: a static page that works through the operators' API. */
export const consoleFiles = (): StaticFiles => ({
  under: '/console/',
  directory: consoleFolder(),
  // On the machine itself, as by `kubectl port-forward`, operators come over plain HTTP; elsewhere whoever ends TLS says it.
  headers: securityHeaders(policy, { strictTransportSecurity: false }),
});

/** Beside the bundle where this is built, in the app's own folder where it runs from source. */
function consoleFolder(): string {
  const folders = ['assets/console', '../assets/console'].map((folder) => path.join(__dirname, folder));
  const folder = folders.find((one) => existsSync(one));
  if (!folder) throw new Error('the console is not part of this build');
  return folder;
}
