import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runWithFakes, samplesFor } from '@reseller/testing';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readPage } from '../src/docs-page/docs-page';
import { missingFrom } from '../src/strangers/contents';
import { GENERATORS } from '../src/strangers/generators';
import { parseStrangersOptions } from '../src/strangers/options';
import { STRANGERS } from '../src/strangers/stranger-list';
import { warningsOf } from '../src/strangers/warnings';

const strangerOf = (name: string) => STRANGERS.find((one) => one.name === name)!;

describe('what npm run strangers makes of what generators print', () => {
  it('when openapi-generator warns, then each warning is counted, and excused where every document gets it', () => {
    const output = [
      "[main] INFO  o.o.codegen.DefaultGenerator - Generator 'java' is considered stable.",
      '[main] WARN  o.o.codegen.DefaultCodegen - OpenAPI 3.1 support is still in beta. To report …',
      '[main] WARN  o.o.codegen.DefaultGenerator - Duplicate file path detected. path=WebhooksApi.java',
      '[main] WARN  o.o.codegen.DefaultGenerator - Duplicate file path detected. path=WebhooksApi.java',
    ].join('\n');
    expect(warningsOf(output)).toEqual([
      { text: expect.stringMatching(/beta/), times: 1, excuse: expect.any(String) },
      {
        text: 'Duplicate file path detected. path=WebhooksApi.java',
        times: 2,
        excuse: undefined,
      },
    ]);
  });

  it('when openapi-python-client leaves something out, then the warning says what and why', () => {
    const output =
      'Generating client\nWARNING parsing POST /api/v1/reconciliations within reconciliation. Endpoint will not be generated.\n\n' +
      'Unsupported content type text/csv\n\n\nIf you believe this was a mistake …';
    expect(warningsOf(output).map(({ text }) => text)).toEqual([
      'WARNING parsing POST /api/v1/reconciliations within reconciliation. Endpoint will not be generated. Unsupported content type text/csv',
    ]);
  });

  it('when a client is requested that nobody makes, then the option is refused', () => {
    expect(() => parseStrangersOptions(['--only=java,cobol'])).toThrow('not cobol');
  });
});

describe('what a client lacks of the document', () => {
  let client: string;
  beforeAll(() => {
    client = mkdtempSync(path.join(tmpdir(), 'strangers-'));
    mkdirSync(path.join(client, 'reseller/api'), { recursive: true });
    mkdirSync(path.join(client, 'reseller/models'), { recursive: true });
    writeFileSync(path.join(client, 'reseller/api/wallet_api.py'), '    def get_wallet_balance(\n');
    writeFileSync(path.join(client, 'reseller/models/create_webhook_request.py'), '');
  });
  afterAll(() => rmSync(client, { recursive: true }));

  it('when a call has no method, then it is missing, whatever else has its name', () => {
    const document = {
      paths: {
        '/wallet/balance': { get: { operationId: 'getWalletBalance' } },
        '/webhooks': { post: { operationId: 'createWebhook' } },
      },
      components: { schemas: { CreateWebhookRequest: {}, WalletBalance: {}, Event: { oneOf: [] } } },
    };
    expect(missingFrom(client, document, strangerOf('python'))).toEqual([
      'the call createWebhook is missing',
      'the schema WalletBalance is missing',
    ]);
  });
});

describe('what docs/partners/clients.md has partners run', () => {
  it('when its commands are pasted, then the generators get what npm run strangers gives them', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'clients-page-'));
    try {
      const text = samplesFor(__filename)
        .map(({ code }) => code)
        .join('\n');
      const fakes = { curl: '{}', java: '', 'openapi-python-client': '' };
      const { calls } = await runWithFakes(text, {
        fakes,
        cwd: folder,
        env: { BASE: 'https://api.example.com' },
      });
      const place = { tools: folder, document: 'openapi.json', client: 'client' };
      const made = (name: string) => GENERATORS[strangerOf(name).generator].make(strangerOf(name), place);
      const [fetched, java = [], python = []] = calls;
      expect(fetched).toContain('https://api.example.com/api/v1/openapi.json');
      const properties = (args: readonly string[]) =>
        args.find((arg) => arg.startsWith('--additional-properties='));
      expect(java.slice(0, 4)).toEqual(['java', '-jar', 'openapi-generator-cli.jar', 'generate']);
      expect(properties(java)).toBe(properties(made('java').args));
      expect(made('openapi-python-client').args).toEqual(
        expect.arrayContaining(['generate', '--path=openapi.json']),
      );
      expect(python).toEqual(
        'openapi-python-client generate --path openapi.json --config config.yaml'.split(' '),
      );
      const configs = ['config.yaml', 'openapi-python-client.yaml'].map((name) =>
        readFileSync(path.join(folder, name), 'utf8'),
      );
      expect(configs[0]).toBe(configs[1]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('when it names the versions of the generators, then they are those that are tried', () => {
    const page = readPage('clients.md');
    for (const { title } of Object.values(GENERATORS))
      expect(page).toContain(`## ${title.replace(/\.\d+$/, '')}`);
  });
});
