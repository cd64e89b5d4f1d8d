import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { Environment } from '@reseller/contracts';
import { CertificateAuthority, eventually, silentLog, type CertificateRequest } from '@reseller/testing';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mutualTls, type CallContext, type MutualTlsOptions, type RpcSecurity } from '../src';
import { callerGuard } from '../src/security/caller-guard';
import { unaryHandler } from '../src/unary-handler';
import { EchoServiceService } from './echo-definition';
import { aCall, callBare, closeEchoes, connectEcho, echoThatIs, MemoryLog, layWire, startEcho } from './echo';

let directory: string;
let authority: CertificateAuthority;
const opened: RpcSecurity[] = [];
const PEER_NAME = 'spiffe://platform.test/{service}';

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'rpc-tls-'));
  authority = await CertificateAuthority.create();
});
afterEach(async () => {
  await closeEchoes();
  for (const security of opened.splice(0)) security.close();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface PeerOptions extends Partial<MutualTlsOptions> {
  readonly by?: CertificateAuthority;
  readonly request?: Partial<CertificateRequest>;
}

async function securityOf(
  app: string,
  { by = authority, request, ...options }: PeerOptions = {},
): Promise<RpcSecurity> {
  const folder = mkdtempSync(path.join(directory, `${app}-`));
  const paths = await by.write(folder, { names: [app], ...request });
  const security = mutualTls({ app, ...paths, peerName: '{service}', log: silentLog, ...options });
  opened.push(security);
  return security;
}

/** Starts echo behind its own certificate; returns its port, what it logs and the last context it saw. */
async function serve(
  presented: PeerOptions = {},
): Promise<{ port: number; log: MemoryLog; seen: CallContext[] }> {
  const seen: CallContext[] = [];
  const log = new MemoryLog();
  const { port } = await startEcho(
    (request, call) => {
      seen.push(call);
      return Promise.resolve(request);
    },
    { security: await securityOf('echo', presented), log },
  );
  return { port, log, seen };
}

/** What a caller's log would show of a call that fails. */
async function failureOf(port: number, security: RpcSecurity | undefined): Promise<string> {
  const client = connectEcho(port, { security, defaultDeadlineMs: 1_500 });
  const failure: unknown = await client.say({ text: 'x' }, aCall).catch((error: unknown) => error);
  return String((failure as Error).cause);
}

describe('mutual TLS', () => {
  it('when both sides show certificates of one authority, then calls go through', async () => {
    const { port } = await serve();
    const client = connectEcho(port, { security: await securityOf('gateway') });
    expect(await client.say({ text: 'x' }, aCall)).toEqual({ text: 'x' });
  });

  it('when a connection was forgotten on the way, then it is made anew', async () => {
    const wire = await layWire((await serve()).port);
    const channelOptions = { 'grpc.keepalive_time_ms': 3_600_000 };
    const definition = echoThatIs('IDEMPOTENT');
    const client = connectEcho(wire.port, {
      security: await securityOf('gateway'),
      channelOptions,
      definition,
    });
    await client.say({ text: 'first' }, aCall);
    wire.forget();
    expect(await client.say({ text: 'second' }, aCall)).toEqual({ text: 'second' });
  });

  it('when names are SPIFFE ids, then they count as names', async () => {
    const presented = { peerName: PEER_NAME };
    const { port } = await serve({ ...presented, request: { names: ['spiffe://platform.test/echo'] } });
    const request = { names: ['spiffe://platform.test/gateway'] };
    const client = connectEcho(port, { security: await securityOf('gateway', { ...presented, request }) });
    expect(await client.say({ text: 'x' }, aCall)).toEqual({ text: 'x' });
  });

  it('when a client shows no certificate, then both sides read that one is needed', async () => {
    const { port, log } = await serve();
    const failure = await callBare(port, credentials.createSsl(Buffer.from(authority.pem)), {
      'grpc.ssl_target_name_override': 'echo',
    }).catch((error: ServiceError) => error.details);
    expect(failure).toContain('needs a client certificate of this installation');
    expect(log.entries).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ reason: failure }) }),
    );
  });

  it('when a client’s certificate has expired or is another authority’s, then it is refused in the same words', async () => {
    const { port } = await serve();
    const stranger = await (await CertificateAuthority.create()).issue({ names: ['gateway'] });
    const late = await authority.issue({ names: ['gateway'], validUntil: new Date(Date.now() - 1_000) });
    for (const { cert, key } of [stranger, late]) {
      const presented = [authority.pem, key, cert].map((pem) => Buffer.from(pem)) as [Buffer, Buffer, Buffer];
      const failure = await callBare(port, credentials.createSsl(...presented), {
        'grpc.ssl_target_name_override': 'echo',
      }).catch((error: ServiceError) => error.details);
      expect(failure).toMatch(/none was presented, it has expired, or another authority issued it/);
    }
  });

  it('when the caller has gone before its call is taken up, then nobody is said to lack a certificate', async () => {
    const log = new MemoryLog();
    const scope = { log, histogram: undefined, guard: callerGuard('{service}') };
    const limits = { maxUnderWay: 1, underWay: new Set<() => void>(), unstatedDeadlineMs: 1_000 };
    const serve = unaryHandler(EchoServiceService.say, () => Promise.resolve({}), { ...scope, ...limits });
    // As grpc-js has it once the connection is closed.
    const gone = { cancelled: true, getAuthContext: () => ({}), getPeer: () => 'unknown', request: {} };
    const listeners = { once: () => undefined, off: () => undefined };
    const call = { ...gone, ...listeners, getDeadline: () => Infinity, metadata: new Metadata() };
    await new Promise((resolve) => serve(call, resolve));
    expect(log.entries).toEqual([]);
  });

  it('when the contract does not name the client’s app, then both sides read who may call', async () => {
    const { port, log, seen } = await serve();
    const failure = await failureOf(port, await securityOf('notifier'));
    const reason =
      "/reseller.test.v1.EchoService/Say is for gateway, backoffice, orders-saga; the client's certificate names notifier";
    expect(failure).toContain(reason);
    expect(log.entries.map(({ fields }) => fields['reason'])).toEqual([reason]);
    expect(seen).toEqual([]);
  });

  it('when a setting adds an app, then it may call that service, and none else', async () => {
    const added = (service: string): PeerOptions => ({ extraCallers: new Map([[service, ['notifier']]]) });
    const { port } = await serve(added('reseller.test.v1.EchoService'));
    const other = await serve(added('reseller.test.v1.OtherService'));
    const security = await securityOf('notifier');
    expect(await connectEcho(port, { security }).say({ text: 'x' }, aCall)).toEqual({ text: 'x' });
    expect(await failureOf(other.port, security)).toContain('names notifier');
  });

  it('when metadata names a partner or an operator, then only who may say so is believed', async () => {
    const { port, seen } = await serve();
    const partner = {
      partnerId: 'p1',
      partnerGlobalId: 'g1',
      path: ['p1'],
      environment: Environment.LIVE,
      clientId: 'c1',
      actingPartnerId: undefined,
      actingClientId: undefined,
    };
    for (const app of ['backoffice', 'gateway', 'orders-saga']) {
      const client = connectEcho(port, { security: await securityOf(app) });
      await client.say({ text: app }, { requestId: app, operator: 'amal', partner });
    }
    expect(seen.map((call) => [call.requestId, call.operator, call.partner])).toEqual([
      ['backoffice', 'amal', partner],
      ['gateway', undefined, partner],
      ['orders-saga', undefined, undefined],
    ]);
  });

  it('when the server is another app, another authority’s, or in plain text, then no call is sent and the client reads why', async () => {
    const security = await securityOf('gateway');
    const imposter = await startEcho((request) => Promise.resolve(request), {
      security: await securityOf('finance'),
    });
    const stranger = await serve({ by: await CertificateAuthority.create() });
    const plain = await startEcho((request) => Promise.resolve(request));
    expect(await failureOf(imposter.port, security)).toContain(
      "server's certificate is for finance, not for echo",
    );
    expect(await failureOf(stranger.port, security)).toMatch(/unable to verify|self.signed|issuer/i);
    expect(await failureOf(plain.port, security)).toMatch(/SSL|TLS|packet|wrong version|socket/i);
    expect(stranger.seen).toEqual([]);
  });

  it('when a client speaks plain text to a server under TLS, then nothing is served and the client reads why', async () => {
    const { port, seen } = await serve();
    expect(await failureOf(port, undefined)).toMatch(/127\.0\.0\.1:\d+: Failed to connect/);
    expect(seen).toEqual([]);
  });
});

describe('certificates that are replaced', () => {
  it('when the files change, then the next connection shows and trusts the new ones, and the old one goes on', async () => {
    const folder = mkdtempSync(path.join(directory, 'rotated-'));
    const paths = await authority.write(folder, { names: ['echo'] });
    const security = mutualTls({
      app: 'echo',
      ...paths,
      peerName: '{service}',
      log: silentLog,
      refreshMs: 20,
    });
    opened.push(security);
    const { port } = await startEcho((request) => Promise.resolve(request), { security });
    const before = connectEcho(port, { security: await securityOf('gateway') });
    await before.say({ text: 'x' }, aCall);
    const next = await CertificateAuthority.create('Next CA');
    await next.write(folder, { names: ['echo'] });
    await eventually(async () => {
      const client = connectEcho(port, {
        security: await securityOf('gateway', { by: next }),
        defaultDeadlineMs: 1_500,
      });
      expect(await client.say({ text: 'new' }, aCall)).toEqual({ text: 'new' });
    });
    expect(await before.say({ text: 'old' }, aCall)).toEqual({ text: 'old' });
  });

  it('when the new files do not fit together, then the ones before stay in use and the log says so once', async () => {
    const folder = mkdtempSync(path.join(directory, 'broken-'));
    const paths = await authority.write(folder, { names: ['echo'] });
    const warned: object[] = [];
    const log = { ...silentLog, info: () => undefined, warn: (fields: object) => void warned.push(fields) };
    const security = mutualTls({ app: 'echo', ...paths, peerName: '{service}', log, refreshMs: 10 });
    opened.push(security);
    const { port } = await startEcho((request) => Promise.resolve(request), { security });
    const key = readFileSync(paths.keyFile);
    await authority.write(folder, { names: ['gateway'] });
    await eventually(() => Promise.resolve(expect(warned.length).toBeGreaterThan(0)));
    expect(JSON.stringify(warned)).toContain('not the certificate of echo');
    const client = connectEcho(port, { security: await securityOf('gateway') });
    expect(await client.say({ text: 'x' }, aCall)).toEqual({ text: 'x' });
    expect(warned).toHaveLength(1);
    expect(readFileSync(paths.keyFile).equals(key)).toBe(false);
  });
});

describe('without TLS', () => {
  it('when metadata names an operator, then it is believed: the network is the protection', async () => {
    const seen: CallContext[] = [];
    const { port } = await startEcho((request, call) => {
      seen.push(call);
      return Promise.resolve(request);
    });
    const metadata = new Metadata();
    metadata.set('x-operator', 'amal');
    await callBare(port, credentials.createInsecure(), {}, metadata);
    expect(seen[0]?.operator).toBe('amal');
  });
});
