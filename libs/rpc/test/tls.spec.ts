import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CertificateAuthority, silentLog } from '@reseller/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mutualTls, type MutualTlsOptions, type RpcSecurity } from '../src';
import { aCall, closeEchoes, connectEcho, startEcho } from './echo';

let directory: string;
let authority: CertificateAuthority;
const opened: RpcSecurity[] = [];

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'rpc-tls-'));
  authority = await CertificateAuthority.create();
});
afterEach(async () => {
  await closeEchoes();
  for (const security of opened.splice(0)) security.close();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function securityOf(app: string, options: Partial<MutualTlsOptions> = {}): Promise<RpcSecurity> {
  const paths = await authority.write(path.join(directory, app), { names: [app] });
  const security = mutualTls({ app, ...paths, peerName: '{service}', log: silentLog, ...options });
  opened.push(security);
  return security;
}

describe('mutual TLS', () => {
  it('when both sides show certificates of one authority, then calls go through', async () => {
    const { port } = await startEcho((request) => Promise.resolve(request), {
      security: await securityOf('echo'),
    });
    const client = connectEcho(port, { security: await securityOf('gateway') });
    expect(await client.say({ text: 'x' }, aCall)).toEqual({ text: 'x' });
  });
});
