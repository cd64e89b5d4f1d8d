import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { missingFrom } from '../src/strangers/contents';
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

  it('when a client is asked for that nobody makes, then the option is refused', () => {
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
