// With its ending, and no syntax but types, so that Node.js runs this file as it is (deploy/make-certificates.mjs).
import './reflect-metadata.ts';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { randomUUID, type webcrypto } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

/** An authority for tests and for one machine: its key lives in this process alone, unless it is kept. */
export class CertificateAuthority {
  private readonly root: X509Certificate;
  private readonly key: webcrypto.CryptoKey;

  private constructor(root: X509Certificate, key: webcrypto.CryptoKey) {
    this.root = root;
    this.key = key;
  }

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
    return new CertificateAuthority(root, keys.privateKey);
  }

  /** The authority that `keep` put into a directory. */
  static async open(directory: string): Promise<CertificateAuthority> {
    const { certFile, keyFile } = authorityFiles(directory);
    const pkcs8 = fromPem(readFileSync(keyFile, 'utf8'));
    const key = await crypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, true, ['sign']);
    return new CertificateAuthority(new X509Certificate(readFileSync(certFile, 'utf8')), key);
  }

  /** Writes its certificate and key into a directory, so that it can issue again later; whoever reads the key can as well. */
  async keep(directory: string): Promise<void> {
    const { certFile, keyFile } = authorityFiles(directory);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writePrivate(keyFile, await toPem(this.key));
    writeFileSync(certFile, this.pem);
  }

  get pem(): string {
    return inLines(this.root);
  }

  /** A certificate for both sides of a connection, and its key, in PEM. */
  async issue(request: CertificateRequest): Promise<{ cert: string; key: string }> {
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
    const certificate = await X509CertificateGenerator.create({
      subject: `CN=${(request.names[0] ?? 'nobody').replace(/[^\w.-]/g, '-')}`,
      issuer: this.root.subject,
      publicKey: keys.publicKey,
      signingKey: this.key,
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
    return { cert: inLines(certificate), key: await toPem(keys.privateKey) };
  }

  /** Issues a certificate and writes it, its key and the authority's certificate into a directory; replaces what is there. */
  async write(directory: string, request: CertificateRequest): Promise<CertificatePaths> {
    const { cert, key } = await this.issue(request);
    mkdirSync(directory, { recursive: true });
    const [certFile = '', keyFile = '', caFile = ''] = ['tls.crt', 'tls.key', 'ca.crt'].map((name) =>
      path.join(directory, name),
    );
    writeFileSync(caFile, this.pem);
    writePrivate(keyFile, key);
    writeFileSync(certFile, cert);
    return { certFile, keyFile, caFile };
  }
}

const authorityFiles = (directory: string): { certFile: string; keyFile: string } => ({
  certFile: path.join(directory, 'ca.crt'),
  keyFile: path.join(directory, 'ca.key'),
});

/** Also where a file is there already, whose mode writing would leave as it is. */
function writePrivate(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
}

/** Ends in a line's end, so that files of several authorities can be joined by `cat`. */
const inLines = (certificate: X509Certificate): string => `${certificate.toString('pem').trimEnd()}\n`;

const fromPem = (pem: string): Buffer<ArrayBuffer> =>
  Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64');

async function toPem(key: webcrypto.CryptoKey): Promise<string> {
  const base64 = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;
}
