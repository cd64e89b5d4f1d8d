import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { satisfies } from 'semver';
import { createTestDatabase, freePort, type TestDatabase } from '@reseller/testing';
import { APP_NAMES, type AppName } from '../src/app-names';
import { awaitReady, makeBundles, runInBundle } from './bundles';
import { imageCommand } from './dockerfile';
import { PLACEHOLDERS, ROOT, settingsOf } from './settings';

/** All that an image may hold beside its packages. */
const OWN_FILE =
  /^(main\.js|[a-z-]+\.js|package(-lock)?\.json|sbom\.cdx\.json|migrations\/.+\.(sql|toml)|routines\/.+\.sql|grants\.sql|assets\/.+|data\/.+|generated\/openapi\.json)$/;

interface Lock {
  packages: Record<string, { dev?: boolean; link?: boolean; version?: string; integrity?: string }>;
}

const readLock = (folder: string): Lock =>
  JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as Lock;

const [, ...flags] = imageCommand('ENTRYPOINT');
const bundles = makeBundles();
afterAll(() => bundles.remove());

describe.each(APP_NAMES)('the bundle of %s', (app) => {
  it('when its files are listed, then they are the code, its data and packages, and no source, map or setting', () => {
    const files = bundles.files(app);
    const own = files.filter((file) => !file.startsWith('node_modules/'));
    expect(own).toEqual(expect.arrayContaining(['main.js', 'package.json', 'package-lock.json']));
    expect(own.filter((file) => !OWN_FILE.test(file))).toEqual([]);
    expect(files.filter((file) => /(\.(ts|mts|cts|map|prisma)|(^|\/)\.env.*)$/.test(file))).toEqual([]);
  });

  it('when its packages are compared with the lock file, then each is there, in that version, and none is for development', () => {
    const { packages } = readLock(ROOT);
    const places = Object.keys(readLock(bundles.folder(app)).packages).filter(Boolean);
    const versionAt = (place: string): unknown =>
      (
        JSON.parse(readFileSync(path.join(bundles.folder(app), place, 'package.json'), 'utf8')) as {
          version: string;
        }
      ).version;
    expect(places.filter((place) => packages[place]?.dev ?? !packages[place])).toEqual([]);
    expect(places.map((place) => [place, versionAt(place)])).toEqual(
      places.map((place) => [place, packages[place]?.version]),
    );
  });
});

/** Licences that ask for nothing but their own text; the OFL, of fonts, not to sell them by themselves either. */
const FREE =
  /^(MIT|MIT-0|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|\(Apache-2\.0 AND BSD-3-Clause\)|MIT AND OFL-1\.1)$/;

interface Sbom {
  components: {
    'bom-ref': string;
    name: string;
    version: string;
    hashes?: { alg: string }[];
    licenses?: { license?: { id: string }; expression?: string }[];
  }[];
}

describe.each(APP_NAMES)('the bill of materials of %s', (app) => {
  const sbom = (): Sbom =>
    JSON.parse(readFileSync(path.join(bundles.folder(app), 'sbom.cdx.json'), 'utf8')) as Sbom;

  it('when it is compared with the lock file and the console’s page, then each package is in it, with its hash and a licence that asks for nothing', () => {
    const { components } = sbom();
    const { packages } = readLock(bundles.folder(app));
    const locked = Object.entries(packages).filter(([place]) => place !== '');
    expect(new Set(components.map(({ name, version }) => `${name}@${version}`))).toEqual(
      new Set([
        ...locked.map(([place, { version }]) => `${place.split('node_modules/').pop()}@${version}`),
        ...builtIn(bundles.folder(app)),
      ]),
    );
    expect(new Set(components.map((component) => component['bom-ref'])).size).toBe(components.length);
    expect(components.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512')).toEqual([]);
    const unclear = components.filter(
      ({ licenses = [] }) =>
        licenses.length === 0 ||
        !licenses.every(({ license, expression }) => FREE.test(license?.id ?? expression ?? '')),
    );
    expect(unclear.map((component) => [component['bom-ref'], component.licenses])).toEqual([]);
  });

  it('when advisories are looked up, then no package has one that is not dealt with (deploy/advisories.json)', () => {
    const { advisories } = JSON.parse(
      readFileSync(path.join(ROOT, 'deploy/advisories.json'), 'utf8'),
    ) as Advisories;
    const met = sbom().components.flatMap(({ name, version }) =>
      advisories
        .filter((one) => one.package === name && satisfies(version, one.vulnerable) && !one.accepted)
        .map(({ id }) => `${name}@${version}: ${id}`),
    );
    expect(met).toEqual([]);
  });
});

/** What is built into the console's page, which backoffice alone serves. */
function builtIn(folder: string): string[] {
  const file = path.join(folder, 'assets/console/licences.json');
  if (!existsSync(file)) return [];
  const packages = JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string }[];
  return packages.map(({ name, version }) => `${name}@${version}`);
}

it('when backoffice’s bill of materials is read, then what its page is built of is in it', () => {
  expect(builtIn(bundles.folder('backoffice')).map((one) => one.replace(/@[^@]+$/, ''))).toEqual(
    expect.arrayContaining(['react', '@mantine/core']),
  );
});

interface Advisories {
  advisories: { id: string; package: string; vulnerable: string; accepted?: string }[];
}

it('when package-lock.json is read, then each package has its hash, those for other systems too', () => {
  const { packages } = readLock(ROOT);
  const open = Object.entries(packages).filter(
    ([place, { integrity, link }]) => place !== '' && !link && !integrity,
  );
  expect(open.map(([place]) => place)).toEqual([]);
});

describe('the bundles, away from the clone', () => {
  const databases: TestDatabase[] = [];
  const running: ReturnType<typeof runInBundle>[] = [];
  let environments: Record<AppName, Record<string, string>>;
  let eventBus: TestDatabase;

  beforeAll(async () => {
    eventBus = await createTestDatabase();
    databases.push(eventBus);
    environments = await wire();
  });
  afterAll(async () => {
    for (const { child } of running) if (child.exitCode === null) child.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    for (const database of databases) await database.drop();
  });

  /** The environment of each app: what holds them together, and as much of it as the app reads. */
  async function wire(): Promise<Record<AppName, Record<string, string>>> {
    const rpc = Object.fromEntries(await Promise.all(APP_NAMES.map(async (app) => [app, await freePort()])));
    const shared: Record<string, string> = { ...PLACEHOLDERS, EVENT_BUS_URL: eventBus.url };
    for (const app of APP_NAMES)
      shared[`${app.toUpperCase().replaceAll('-', '_')}_ADDRESS`] = `127.0.0.1:${rpc[app]}`;
    const entries = APP_NAMES.map(async (app) => {
      const known = Object.keys((await settingsOf(app)).shape);
      const database = known.includes('DATABASE_URL') ? await createTestDatabase() : undefined;
      if (database) databases.push(database);
      const own = {
        NODE_ENV: 'production',
        PLAINTEXT_ALLOWED: 'rpc',
        GRPC_PORT: String(rpc[app]),
        HTTP_PORT: String(await freePort()),
        GATEWAY_PORT: String(await freePort()),
        BACKOFFICE_PORT: String(await freePort()),
        ...(database && { DATABASE_URL: database.url }),
      };
      const all = Object.entries({ ...shared, ...own });
      return [app, Object.fromEntries(all.filter(([name]) => known.includes(name)))] as const;
    });
    return Object.fromEntries(await Promise.all(entries)) as Record<AppName, Record<string, string>>;
  }

  it('when every app migrates and starts in production, then all are ready, an order goes through, and SIGTERM ends each with 0', async () => {
    const migrations = APP_NAMES.filter((name) => environments[name]['DATABASE_URL']).map((app) => {
      const process = runInBundle(bundles.folder(app), [...flags, 'migrate.js'], environments[app]);
      running.push(process);
      return { app, process };
    });
    for (const { app, process } of migrations)
      expect([app, await process.ended, process.output()]).toEqual([app, 0, expect.any(String)]);
    const started = APP_NAMES.map((app) => {
      const process = runInBundle(bundles.folder(app), [...flags, 'main.js'], environments[app]);
      running.push(process);
      return { app, process };
    });
    for (const { app, process } of started) await awaitReady(process, Number(environments[app]['HTTP_PORT']));
    // What other builds left in the gateway's: the reference, and of the documentation what partners may read.
    const gateway = `http://127.0.0.1:${environments.gateway['GATEWAY_PORT']}`;
    for (const [page, status] of [
      ['/docs', 200],
      ['/docs/partners/getting-started', 200],
      ['/docs/platform/security', 404],
      ['/docs/reference', 200],
      ['/docs/reference/scalar.js', 200],
      ['/api/v1/openapi.json', 200],
    ])
      expect([page, (await fetch(`${gateway}${page}`)).status]).toEqual([page, status]);
    const backoffice = `http://127.0.0.1:${environments.backoffice['BACKOFFICE_PORT']}`;
    const args = [...flags, 'operator-token.js', '--name', 'first', '--role', 'admin'];
    const token = runInBundle(bundles.folder('identity'), args, environments.identity);
    expect([await token.ended, token.output()]).toEqual([0, expect.stringMatching(/^op_\S{43}\n$/)]);
    const env = { OPERATOR_TOKEN: token.output().trim() };
    const sell = async (): Promise<void> => {
      const order = runInBundle(ROOT, ['deploy/first-order.mjs', gateway, backoffice], env);
      running.push(order);
      expect([await order.ended, order.output()]).toEqual([0, expect.stringContaining(' is Completed\n')]);
    };
    await sell();
    // As docs/platform/leaks.md says: whoever fetches a token afterwards is served by the new key.
    const keys = runInBundle(
      bundles.folder('identity'),
      [...flags, 'keys.js', 'revoke-signing-keys'],
      environments.identity,
    );
    expect([await keys.ended, keys.output()]).toEqual([0, expect.stringContaining('"created": "')]);
    await sell();
    // The image's own check, made as the engine makes it.
    for (const [port, response] of [
      [environments.finance['HTTP_PORT'], 0],
      [String(await freePort()), 1],
    ]) {
      const [, ...args] = imageCommand('HEALTHCHECK');
      const check = runInBundle(bundles.folder('finance'), args, { HTTP_PORT: String(port) });
      expect(await check.ended).toBe(response);
    }
    for (const { app, process } of started.reverse()) {
      process.kill('SIGTERM');
      expect([app, await process.ended]).toEqual([app, 0]);
    }
  }, 200_000);
});

/** What a bundle would find out late that a file was trimmed away too much. */
const PROBES: Partial<Record<AppName, string>> = {
  finance: `const Pdf = require('pdfkit'); const d = new Pdf(); d.font('Helvetica-Bold').text('Halala'); d.on('data', () => 0); d.on('end', () => console.log('ok')); d.end(); require('nodemailer').createTransport({})`,
  'orders-saga': `if (require('libphonenumber-js').parsePhoneNumberFromString('+966501234567').isValid()) console.log('ok')`,
  notifier: `require('undici'); require('ipaddr.js').parse('::1'); console.log('ok')`,
  gateway: `require('i18n-iso-countries').isValid('SA') && require('qrcode').toDataURL('x').then(() => console.log('ok'))`,
};

describe.each(Object.entries(PROBES))('the packages of %s, trimmed', (app, probe) => {
  it('when the parts that load late are used, then they work', async () => {
    const process = runInBundle(bundles.folder(app as AppName), ['-e', probe], {});
    expect([await process.ended, process.output()]).toEqual([0, 'ok\n']);
  });
});

it.each(APP_NAMES)('when %s imports each package it names, then all of them resolve', async (app) => {
  const names = readFileSync(path.join(ROOT, 'dist/apps', app, 'packages.json'), 'utf8');
  const program = `for (const name of ${names}) name.endsWith('.ttf') ? require.resolve(name) : require(name); console.log('ok')`;
  const process = runInBundle(bundles.folder(app), ['-e', program], {});
  expect([await process.ended, process.output()]).toEqual([0, 'ok\n']);
});
