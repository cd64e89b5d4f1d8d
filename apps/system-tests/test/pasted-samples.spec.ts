import { beforeAll, expect, test } from '@jest/globals';
import { runBash, samplesFor } from '@reseller/testing';
import { newTopup } from '../src/clients/bodies';
import { OperatorClient, type TestPartner } from '../src/clients/operator-client';
import { expectSuccess } from '../src/clients/response';
import { startReceiver } from '../src/clients/webhook-receiver';
import { describePage, openShell, withAnyText } from '../src/docs-page/docs-page';
import { readPlatformFile } from '../src/platform/platform-file';

const samples = samplesFor(__filename);
const codeOf = (page: string, section?: string): string =>
  samples.find((sample) => sample.page === page && (section ?? sample.section) === sample.section)?.code ??
  '';

/** What differs from one delivery to the next is no part of the form. */
const formOf = (header: string): string =>
  header
    .replace(/sha256=\S+/, 'hex')
    .replace(/: \d{10}$/, ': seconds')
    .replace(/[0-9a-f-]{36}/, 'id');

describePage('samples that stand alone on their page', () => {
  const platform = readPlatformFile();
  let partner: TestPartner;
  beforeAll(async () => {
    partner = await new OperatorClient(platform).newPartner({ deposit: 500 });
  });

  test('when the first top-up of the README is pasted, then it is completed and the wallet read', async () => {
    // The platform of the tests has other ports and another folder than that of `npm start`.
    const text = codeOf('README.md')
      .replaceAll('http://127.0.0.1:8080', platform.gatewayUrl)
      .replace('.local/platform.json', process.env['PLATFORM_JSON'] ?? '')
      .replaceAll(/(}'|"\$TOKEN")$/gm, `$& -w '\\n'`);
    const [order = '', balance = ''] = (await runBash(text)).stdout.split('\n');
    expect(JSON.parse(order)).toMatchObject({
      payload: { status: 'Completed', externalReference: 'my-first' },
    });
    expect(JSON.parse(balance)).toMatchObject({ state: 'SUCCESS', payload: { currency: 'SAR' } });
  });

  test('when the command that subscribes is pasted, then it returns the subscription and its secret', async () => {
    const shell = await openShell({}, partner);
    await shell.paste({
      command: codeOf('docs/partners/webhooks.md', 'Subscribe'),
      response: withAnyText({ state: 'CREATED', payload: { subscription: { isActive: true }, secret: '…' } }),
    });
  });

  test('when a webhook comes, then with the headers and in the form that the guide shows', async () => {
    const receiver = await startReceiver();
    try {
      const body = { url: receiver.url, eventTypes: ['order.completed'] };
      await partner.sandbox.call('/webhooks', { body });
      expectSuccess(await partner.sandbox.topup(newTopup({ amount: 5 })));
      const [came] = await receiver.waitFor(1);
      const [head = '', shown = ''] = codeOf('docs/partners/webhooks.md', 'What comes').split('\n\n');
      const [first, ...headers] = head.split('\n');
      expect(first).toBe(`${came?.method} /webhooks HTTP/1.1`);
      const sent = Object.entries(came?.headers ?? {}).filter(([name]) =>
        /^(x-|content-type|user-agent)/.test(name),
      );
      expect(
        headers.map((line) => formOf(line.replace(/^[^:]+/, (name) => name.toLowerCase()))).sort(),
      ).toEqual(sent.map(([name, value]) => formOf(`${name}: ${String(value)}`)).sort());
      // The order of the fields is part of what is signed.
      const fields = (text: string): string[] => text.match(/"\w+":/g) ?? [];
      expect(fields(came?.body ?? '')).toEqual(expect.arrayContaining(fields(shown)));
      expect(came?.body).toMatch(
        /^\{"eventId":"[^"]+","eventType":"order.completed","occurredAt":"[^"]+","data":\{/,
      );
    } finally {
      await receiver.stop();
    }
  });

  test('when the token of the runbook is fetched and used, then the wallet is returned', async () => {
    const { clientId, clientSecret } = partner.credentials.live;
    const env = { GATEWAY: platform.gatewayUrl, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
    const { stdout } = await runBash(codeOf('docs/platform/runbook.md'), { env });
    expect(stdout).toBe('200\n');
  });

  test('when a call fails, then in the shape that the page of errors shows', async () => {
    const documented = withAnyText(JSON.parse(codeOf('docs/partners/errors.md')));
    const poor = await new OperatorClient(platform).newPartner({ deposit: 1 });
    const { text } = await poor.sandbox.topup(newTopup({ amount: 50 }));
    expect(JSON.parse(text)).toEqual(documented);
  });
});
