import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, freePort } from '@reseller/testing';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import type { ProcessName } from '../src/platform-file';
import { databaseNames } from '../src/postgres/databases';
import { serviceNames } from '../src/services';
import {
  alive,
  balanceOf,
  launch,
  newDataDirectory,
  removeDataDirectories,
  START_LIMIT_MS,
  type RunningPlatform,
} from './running-platform';

const LIMIT_MS = 3 * START_LIMIT_MS;
const opening = { Acme: 10_000, 'Acme North': 1_000, 'Acme North Kiosk': 100, Globex: 5_000 };

afterAll(removeDataDirectories);

async function expectOpeningBalances(platform: RunningPlatform): Promise<void> {
  for (const [name, amount] of Object.entries(opening)) {
    // The first reads of a platform that has just come up may be refused for want of time, and are repeated as partners repeat them.
    await eventually(async () =>
      expect([name, await balanceOf(platform.read(), name)]).toEqual([name, amount]),
    );
  }
  expect(await balanceOf(platform.read(), 'Initech')).toBe('NOT_FOUND_WALLET');
}

/** A data directory whose first platform was killed in the middle of seeding. */
function cutOffStart(): Promise<string> {
  // On a busy machine the kill may come too late, when all is there.
  return eventually(
    async () => {
      const directory = newDataDirectory();
      const seedFile = path.join(directory, 'seed.json');
      const seeded = (): string => (existsSync(seedFile) ? readFileSync(seedFile, 'utf8') : '');
      const platform = launch(directory);
      await eventually(() => expect(seeded()).toContain('"Acme"'), { timeoutMs: START_LIMIT_MS });
      platform.kill('SIGKILL');
      await platform.exited;
      const { doneSteps } = JSON.parse(seeded()) as { doneSteps: string[] };
      expect(doneSteps).not.toContain('partners');
      return directory;
    },
    { timeoutMs: LIMIT_MS },
  );
}

describe('a platform that runs (spec §13.1, §13.3, §13.5)', () => {
  let platform: RunningPlatform;
  beforeAll(async () => {
    platform = launch(await cutOffStart());
    await platform.ready();
  }, LIMIT_MS);
  afterAll(() => platform.stop());

  it('when the starter of a first start was killed in the middle of seeding, then the next one completed it without doing a thing twice (spec §13.4)', async () => {
    expect(platform.read().partners.map(({ name }) => name)).toEqual([...Object.keys(opening), 'Initech']);
    await expectOpeningBalances(platform);
  });

  it('when everything is ready, then platform.json holds all of it, readable by its owner alone', async () => {
    const description = platform.read();
    expect(statSync(platform.file).mode & 0o777).toBe(0o600);
    expect(Object.keys(description).sort()).toEqual([
      'backofficeUrl',
      'databases',
      'gatewayUrl',
      'instances',
      'oidcIssuer',
      'operatorToken',
      'operators',
      'partners',
      'pids',
    ]);
    expect(Object.keys(description.pids).sort()).toEqual([...serviceNames, 'postgres'].sort());
    expect(alive(Object.values(description.pids))).toHaveLength(serviceNames.length + 1);
    const internal = ['event-bus', 'vendor-simulator'];
    expect(Object.keys(description.databases).sort()).toEqual(
      Object.keys(databaseNames)
        .filter((owner) => !internal.includes(owner))
        .sort(),
    );
    const credential = { clientId: expect.any(String), clientSecret: expect.any(String) };
    const parents = description.partners.map(({ name, parentPartnerId }) => [
      name,
      description.partners.find(({ partnerId }) => partnerId === parentPartnerId)?.name ?? null,
    ]);
    expect(parents).toEqual([
      ['Acme', null],
      ['Acme North', 'Acme'],
      ['Acme North Kiosk', 'Acme North'],
      ['Globex', null],
      ['Initech', null],
    ]);
    for (const partner of description.partners) {
      expect(partner.credentials).toEqual({ sandbox: credential, live: credential });
    }
    await expectOpeningBalances(platform);
  });

  it('when the greeting is shown, then its first call sends the credential without the console or a log telling a secret', async () => {
    const { operatorToken, partners } = platform.read();
    await eventually(() => expect(platform.output()).toContain('/auth/token'));
    const [, body = ''] = /-d (".*")$/m.exec(platform.output()) ?? [];
    const sent = execFileSync('sh', ['-c', `printf %s ${body}`], { encoding: 'utf8' });
    expect(JSON.parse(sent)).toEqual(partners[0]?.credentials.sandbox);
    const logs = path.join(path.dirname(platform.file), 'logs');
    const reported = [
      platform.output(),
      ...readdirSync(logs).map((log) => readFileSync(path.join(logs, log), 'utf8')),
    ];
    const kept = readFileSync(path.join(path.dirname(platform.file), 'secrets.json'), 'utf8');
    const secrets = [
      operatorToken ?? '',
      ...Object.values(JSON.parse(kept) as Record<string, string>),
      ...partners.flatMap(({ credentials: { sandbox, live } }) => [sandbox.clientSecret, live.clientSecret]),
    ];
    expect(secrets.filter((secret) => reported.join('').includes(secret))).toEqual([]);
  });

  it.each<ProcessName>(['postgres', 'finance', 'gateway', 'vendor-simulator'])(
    'when %s is killed, then it is started again, platform.json has its new pid, and balances are read',
    async (name) => {
      const before = platform.read().pids;
      process.kill(before[name], 'SIGKILL');
      await eventually(() => expect(platform.read().pids[name]).not.toBe(before[name]));
      await eventually(() => expectOpeningBalances(platform));
      const after = platform.read().pids;
      expect(alive(Object.values(after))).toHaveLength(serviceNames.length + 1);
      // Nobody else had to be started again.
      expect({ ...after, [name]: 0 }).toEqual({ ...before, [name]: 0 });
    },
    LIMIT_MS,
  );

  it('when a second platform is started on the same data, then it says so and ends', async () => {
    const second = launch(path.dirname(platform.file));
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(/in use by another platform: set PLATFORM_DATA_DIR/);
    expect(existsSync(platform.file)).toBe(true);
  });

  it('when its files cannot be read or written, then it says so in a line and ends', async () => {
    const directory = newDataDirectory();
    mkdirSync(path.join(directory, 'secrets.json'));
    const unusable = launch(directory);
    expect(await unusable.exited).toBe(1);
    expect(unusable.output().trim()).toBe(
      `${directory} cannot be used (EISDIR: illegal operation on a directory, read): make room in it, or set PLATFORM_DATA_DIR to a directory of yours`,
    );
  });

  describe('a second one beside it, on other data, with two instances of every service', () => {
    let second: RunningPlatform;
    beforeAll(async () => {
      second = launch(newDataDirectory(), { PLATFORM_INSTANCES: '2' });
      await second.ready();
    }, START_LIMIT_MS);
    // The last test has ended it.
    afterAll(() => void second.kill('SIGINT'));

    it('when both are ready, then they serve side by side, each its own partners', async () => {
      await expectOpeningBalances(second);
      await expectOpeningBalances(platform);
      expect(second.read().partners[0]?.partnerId).not.toBe(platform.read().partners[0]?.partnerId);
    });

    it('when everything is ready, then each instance has its name, its process and its addresses, and each gateway responds', async () => {
      const description = second.read();
      const all = Object.values(description.instances).flat();
      const twice = serviceNames.filter((name) => name !== 'vendor-simulator').map((name) => `${name}-2`);
      expect(all.map(({ name }) => name).sort()).toEqual([...serviceNames, ...twice].sort());
      const { postgres, ...others } = description.pids;
      expect(Object.fromEntries(all.map(({ name, pid }) => [name, pid]))).toEqual(others);
      expect(alive([postgres, ...Object.values(others)])).toHaveLength(2 * serviceNames.length);
      for (const { healthUrl } of all) expect((await fetch(`${healthUrl}/readyz`)).status).toBe(200);
      const [one, other] = description.instances.gateway;
      expect(one?.url).toBe(description.gatewayUrl);
      expect(await balanceOf({ ...description, gatewayUrl: other?.url ?? '' }, 'Acme')).toBe(10_000);
    });

    it(
      'when a second instance is killed, then it is started again where it was, and nobody else is',
      async () => {
        const before = second.read();
        process.kill(before.instances.finance[1]?.pid ?? 0, 'SIGKILL');
        await eventually(() =>
          expect(second.read().instances.finance[1]?.pid).not.toBe(before.instances.finance[1]?.pid),
        );
        const after = second.read();
        const withoutPid = (one: object | undefined): object => ({ ...one, pid: 0 });
        expect(withoutPid(after.instances.finance[1])).toEqual(withoutPid(before.instances.finance[1]));
        expect({ ...after.pids, 'finance-2': 0 }).toEqual({ ...before.pids, 'finance-2': 0 });
        const ready = `${after.instances.finance[1]?.healthUrl}/readyz`;
        await eventually(async () => expect((await fetch(ready)).status).toBe(200));
      },
      LIMIT_MS,
    );

    it('when who started it is gone, then it ends and keeps its data', async () => {
      const pids = [second.starterPid, ...Object.values(second.read().pids)];
      second.letGo();
      await eventually(() => expect(alive(pids)).toEqual([]), { timeoutMs: START_LIMIT_MS });
      expect(second.output()).toContain('stopped; the data is kept');
    });
  });

  it(
    'when it is stopped and started again, then nothing is left in between and the data is the same (spec §13.4)',
    async () => {
      const first = platform.read();
      expect(await platform.stop()).toBe(0);
      expect(existsSync(platform.file)).toBe(false);
      expect(alive(Object.values(first.pids))).toEqual([]);

      platform = launch(path.dirname(platform.file));
      const second = await platform.ready();
      expect(second.partners).toEqual(first.partners);
      expect(second.operatorToken).toBe(first.operatorToken);
      await expectOpeningBalances(platform);
    },
    LIMIT_MS,
  );

  it('when the starter is killed and none is started after it, then its children end by themselves (spec §13.4)', async () => {
    const { pids } = platform.read();
    platform.kill('SIGKILL');
    await platform.exited;
    await eventually(() => expect(alive(Object.values(pids))).toEqual([]));
  });
});

describe('a platform that cannot start (spec §13.2)', () => {
  it.each(['GATEWAY_PORT', 'BACKOFFICE_PORT'])(
    'when the port of %s is taken, then one line says which and what to set, and nothing is left',
    async (variable) => {
      const port = await freePort();
      const holder = createServer().listen(port, '127.0.0.1');
      const platform = launch(newDataDirectory(), { [variable]: String(port) });
      expect(await platform.exited).toBe(1);
      expect(platform.output().trim()).toMatch(
        new RegExp(`^port ${port} .* set ${variable} to a free port$`),
      );
      expect(existsSync(platform.file)).toBe(false);
      await new Promise((resolve) => holder.close(resolve));
    },
    START_LIMIT_MS,
  );

  it.each([
    [{ PLATFORM_INSTANCES: '10' }, /^PLATFORM_INSTANCES is not valid: expected a whole number from 1 to 9$/],
    [
      { PLATFORM_INSTANCES: '3', GATEWAY_PORT: '8088', BACKOFFICE_PORT: '8090' },
      /^3 instances need .* overlap; set one of them to another port$/,
    ],
  ])('when instances cannot be as %j, then one line says why', async (env, line) => {
    const platform = launch(newDataDirectory(), env as Record<string, string>);
    expect(await platform.exited).toBe(1);
    expect(platform.output().trim()).toMatch(line);
  });

  it(
    'when a service refuses its settings, then its line is shown and everything ends',
    async () => {
      const data = newDataDirectory();
      const platform = launch(data, { RATE_LIMIT_DEFAULT: 'many' });
      expect(await platform.exited).toBe(1);
      expect(platform.output()).toMatch(
        /gateway does not start[\s\S]*RATE_LIMIT_DEFAULT is not valid: expected/,
      );
      expect(existsSync(path.join(data, 'postgres', 'postmaster.pid'))).toBe(false);
    },
    START_LIMIT_MS,
  );
});
