import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CertificateAuthority, type CertificatePaths } from '@reseller/testing';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { baseConfig, ConfigError, loadConfig } from './config';
import { rpcSecurity } from './rpc-security';

let directory: string;
let files: CertificatePaths;

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'rpc-security-'));
  files = await (await CertificateAuthority.create()).write(directory, { names: ['finance'] });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const settings = (given: Partial<CertificatePaths>, more: Record<string, string> = {}) => ({
  GRPC_TLS_CERT_FILE: given.certFile,
  GRPC_TLS_KEY_FILE: given.keyFile,
  GRPC_TLS_CA_FILE: given.caFile,
  ...more,
});

/** What a process of the app `finance` says when it starts with these settings. */
function start(env: Record<string, string | undefined>): { refused: string[]; logged: string[] } {
  const logged: string[] = [];
  const log = (level: string) => (_fields: object, text: string) => void logged.push(`${level} ${text}`);
  try {
    const config = loadConfig(z.object(baseConfig), env);
    rpcSecurity('finance', config, { log: { info: log('info'), warn: log('warn') } }).close();
    return { refused: [], logged };
  } catch (error) {
    if (error instanceof ConfigError) return { refused: error.lines, logged };
    throw error;
  }
}

describe('the settings of mutual TLS', () => {
  it('when all three files fit together, then it starts and has nothing to say', () => {
    expect(start(settings(files))).toEqual({ refused: [], logged: [] });
  });

  it('when none is set in production, then it does not start, unless plain text is allowed in so many words', () => {
    const { refused, logged } = start({});
    expect(refused).toHaveLength(3);
    expect(refused[0]).toBe(
      'GRPC_TLS_CERT_FILE is missing: expected a file in PEM, or rpc in PLAINTEXT_ALLOWED, as NODE_ENV is production',
    );
    expect(logged).toEqual([]);
    expect(start({ PLAINTEXT_ALLOWED: 'vendors' }).refused).toHaveLength(3);
    expect(start({ PLAINTEXT_ALLOWED: 'vendors, rpc' }).refused).toEqual([]);
    expect(start({ PLAINTEXT_ALLOWED: 'everything' }).refused).toEqual([
      'PLAINTEXT_ALLOWED is not valid: expected what may go in plain text in production, comma separated: rpc, vendors, smtp, kafka, console, archive',
    ]);
  });

  it('when none is set and may be so, then plain text is reported once, as a warning in production', () => {
    const names = 'GRPC_TLS_CERT_FILE, GRPC_TLS_KEY_FILE, GRPC_TLS_CA_FILE';
    expect(start({ PLAINTEXT_ALLOWED: 'rpc' }).logged).toEqual([
      `warn RPC is in plain text: whoever reaches the port is trusted; set ${names} for mutual TLS`,
    ]);
    expect(start({ NODE_ENV: 'development' }).logged).toEqual([
      `info RPC is in plain text; set ${names} for mutual TLS`,
    ]);
  });

  it('when one of the three is set, then a line names each that is missing', () => {
    expect(start(settings({ certFile: files.certFile })).refused).toEqual([
      'GRPC_TLS_KEY_FILE is missing: expected a file in PEM, as GRPC_TLS_CERT_FILE is set',
      'GRPC_TLS_CA_FILE is missing: expected a file in PEM, as GRPC_TLS_CERT_FILE is set',
    ]);
  });

  it('when a file cannot be used, then the line names it and why, and shows nothing of it', async () => {
    const other = await (
      await CertificateAuthority.create()
    ).write(path.join(directory, 'other'), { names: ['gateway'] });
    const junk = path.join(directory, 'junk.key');
    writeFileSync(junk, 'hunter2');
    const absent = path.join(directory, 'absent.crt');
    const refusal = (given: Partial<CertificatePaths>): string =>
      start(settings({ ...files, ...given })).refused.join();
    expect(refusal({ certFile: absent })).toBe(
      `GRPC_TLS_CERT_FILE is not valid: ${absent} cannot be read: ENOENT`,
    );
    expect(refusal({ keyFile: junk })).toMatch(
      /^GRPC_TLS_KEY_FILE is not valid: .*junk\.key is not usable PEM/,
    );
    expect(refusal({ keyFile: junk })).not.toContain('hunter2');
    expect(refusal({ keyFile: other.keyFile })).toContain(`is not the key of the certificate in`);
    const joined = path.join(directory, 'joined.crt');
    writeFileSync(joined, readFileSync(other.caFile, 'utf8') + readFileSync(files.caFile, 'utf8'));
    expect(refusal({ caFile: joined })).toBe('');
    expect(refusal(other)).toMatch(
      /not the certificate of finance: expected the alternative name finance, found DNS:gateway/,
    );
  });

  it('when more callers are allowed in words that cannot be read, then a line says how to write them', () => {
    expect(start({ GRPC_TLS_ALLOWED_CLIENTS: 'WalletService:reporting' }).refused).toEqual([
      'GRPC_TLS_ALLOWED_CLIENTS is not valid: expected package.XService=app|app2, comma separated, or *=app for every service',
    ]);
  });
});
