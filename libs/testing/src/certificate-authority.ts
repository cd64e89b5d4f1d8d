import './reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from '@peculiar/x509';
import { randomUUID, type webcrypto } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** What a certificate is for; by default it is valid for a day from an hour ago. */
export interface CertificateRequest {
  /** Its alternative names: DNS names, and URIs such as spiffe://… */
  readonly names: readonly string[];
  readonly validFrom?: Date;
  readonly validUntil?: Date;
}

/** Where the three files are that a process needs for mutual TLS. */
export interface CertificatePaths {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
}

/** An authority for tests and for one developer's machine: its key lives in this process alone. */
export class CertificateAuthority {
  private constructor(
    private readonly root: X509Certificate,
    private readonly keys: webcrypto.CryptoKeyPair,
  ) {}

  /** Makes a new authority, valid for ten years. */
  static async create(name = `Development CA ${randomUUID()}`): Promise<CertificateAuthority> {
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
    const root = await X509CertificateGenerator.createSelfSigned({
      name: `CN=${name}`,
      keys,
      signingAlgorithm: ALGORITHM,
      notBefore: new Date(Date.now() - DAY_MS),
      notAfter: new Date(Date.now() + 3650 * DAY_MS),
      extensions: [
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      ],
    });
    return new CertificateAuthority(root, keys);
  }

  get pem(): string {
    return this.root.toString('pem');
  }

  /** A certificate for both sides of a connection, and its key, in PEM. */
  async issue(request: CertificateRequest): Promise<{ cert: string; key: string }> {
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
    const certificate = await X509CertificateGenerator.create({
      subject: `CN=${(request.names[0] ?? 'nobody').replace(/[^\w.-]/g, '-')}`,
      issuer: this.root.subject,
      publicKey: keys.publicKey,
      signingKey: this.keys.privateKey,
      signingAlgorithm: ALGORITHM,
      notBefore: request.validFrom ?? new Date(Date.now() - DAY_MS / 24),
      notAfter: request.validUntil ?? new Date(Date.now() + DAY_MS),
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
        new SubjectAlternativeNameExtension(
          request.names.map((value) => ({ type: value.includes('://') ? 'url' : 'dns', value })),
        ),
      ],
    });
    return { cert: certificate.toString('pem'), key: await toPem(keys.privateKey) };
  }

  /** Issues a certificate and writes it, its key and the authority's certificate into a directory; replaces what is there. */
  async write(directory: string, request: CertificateRequest): Promise<CertificatePaths> {
    const { cert, key } = await this.issue(request);
    mkdirSync(directory, { recursive: true });
    const [certFile = '', keyFile = '', caFile = ''] = ['tls.crt', 'tls.key', 'ca.crt'].map((name) =>
      path.join(directory, name),
    );
    writeFileSync(caFile, this.pem);
    writeFileSync(keyFile, key, { mode: 0o600 });
    writeFileSync(certFile, cert);
    return { certFile, keyFile, caFile };
  }
}

async function toPem(key: webcrypto.CryptoKey): Promise<string> {
  const base64 = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;
}
