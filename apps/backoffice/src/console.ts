import express, { type RequestHandler } from 'express';
import helmet from 'helmet';
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Only what this server itself serves may run or be loaded; the page holds an operator's token. */
const policy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'"],
    connectSrc: ["'self'"],
    formAction: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

/** Serves the web console, a static page that works through the operators' API, at / and below /console. */
export function serveConsole(): RequestHandler {
  const router = express.Router();
  router.use(helmet({ contentSecurityPolicy: policy, strictTransportSecurity: false }));
  router.get('/', (_request, response) => response.redirect(302, '/console/'));
  router.use(
    '/console',
    express.static(consoleFolder(), { fallthrough: true, cacheControl: true, maxAge: 0 }),
  );
  return router;
}

/** Beside the bundle where this is built, in the app's own folder where it runs from source. */
function consoleFolder(): string {
  const folders = ['assets/console', '../assets/console'].map((folder) => path.join(__dirname, folder));
  const folder = folders.find((one) => existsSync(one));
  if (!folder) throw new Error('the console is not part of this build');
  return folder;
}
