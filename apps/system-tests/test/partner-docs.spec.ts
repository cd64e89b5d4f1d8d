import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { samplesFor } from '@reseller/testing';
import { receiveWebhooks } from '@reseller/webhook-receiver';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  describePage,
  examplesOf,
  openFamilyShell,
  openShell,
  type PageShell,
} from '../src/docs-page/docs-page';

const servers: Server[] = [];
afterAll(() => servers.forEach((server) => server.closeAllConnections() ?? server.close()));

async function urlOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
}

/** The receivers that webhook-diagnosis.md names: one made with our library, and one that accepts everything. */
async function openReceivers(): Promise<PageShell> {
  const secret = (): string => shell.variable('SECRET');
  const careful = receiveWebhooks({ secret, handle: () => undefined });
  const shell = await openShell({
    RECEIVER: await urlOf((request, response) => void careful(request, response)),
    CARELESS: await urlOf((request, response) => void request.resume().on('end', () => response.end())),
  });
  return shell;
}

/** What the commands of a page need beside a new partner's credential. */
const SHELLS: Readonly<Record<string, () => Promise<PageShell>>> = {
  'webhook-diagnosis.md': openReceivers,
  'before-you-go-live.md': openReceivers,
  'limits.md': openFamilyShell,
};

const samples = samplesFor(__filename);
const pages = [...new Set(samples.map(({ page }) => page))];

describePage('the pages for partners (spec §16.1, §16.3, §17.1, §17.2, §17.3, §17.4, §17.5, §17.6)', () => {
  test.each(pages)(
    'when the commands of %s are pasted one after the other, then each returns what stands under it',
    async (page) => {
      const shell = await (SHELLS[path.basename(page)] ?? openShell)();
      const examples = examplesOf(samples.filter((sample) => sample.page === page));
      for (const example of examples) await shell.paste(example);
    },
  );

  // It waits a good deal, so it runs beside the pages.
  let script: Promise<PromiseSettledResult<string>[]>;
  beforeAll(() => {
    const run = async (): Promise<string> =>
      (await openShell()).runScript('before-you-go-live.sh', { PORT: await aFreePort() });
    script = Promise.allSettled([run()]);
  });

  test('when the script of before-you-go-live.md is run, then it ends with a certified partner', async () => {
    const value = expect.stringMatching(
      / StatementRead Shown\nsteps that are missing: 0\ncertification: Certified\n$/,
    );
    expect(await script).toEqual([{ status: 'fulfilled', value }]);
  });
});

async function aFreePort(): Promise<string> {
  const { port } = new URL(await urlOf(() => undefined));
  const server = servers.pop();
  await new Promise((resolve) => server?.close(resolve));
  return port;
}
