import type { experimental } from '@grpc/grpc-js';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { NoticeLog } from '../rpc-log';
import { appsNamedBy } from './peer-name';

type CaListener = experimental.CaCertificateUpdateListener;
type IdentityListener = experimental.IdentityCertificateUpdateListener;

/** Where the certificates are, whose they must be, and how its name stands in them. */
interface CertificateFilesOptions {
  readonly certFile: string;
  readonly keyFile: string;
  readonly caFile: string;
  readonly app: string;
  readonly peerName: string;
  readonly log: NoticeLog;
  /** How often the files are looked at. */
  readonly refreshMs?: number | undefined;
}

/** The files cannot be used; the message is one line that names the file and what is wrong, and shows none of it. */
export class CertificateFault extends Error {}

interface Loaded {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly ca: Buffer;
  readonly validUntil: Date;
}

const REFRESH_MS = 10_000;

/**
 * The certificates of this process, read anew when the files change: the next connection uses them. Files that do not fit
 * together, as in the middle of a rotation, leave the ones before in use. Throws CertificateFault when the first read fails.
 */
export class CertificateFiles implements experimental.CertificateProvider {
  private current: Loaded;
  private refused = '';
  private readonly timer: NodeJS.Timeout;
  private readonly caListeners = new Set<CaListener>();
  private readonly identityListeners = new Set<IdentityListener>();

  constructor(private readonly options: CertificateFilesOptions) {
    this.current = load(options);
    this.timer = setInterval(() => this.refresh(), options.refreshMs ?? REFRESH_MS).unref();
  }

  get validUntil(): Date {
    return this.current.validUntil;
  }

  close(): void {
    clearInterval(this.timer);
  }

  // The listener must not be called before it is registered, so later, as grpc-js's own provider does.
  addCaCertificateListener(listener: CaListener): void {
    this.caListeners.add(listener);
    process.nextTick(() => listener({ caCertificate: this.current.ca }));
  }

  removeCaCertificateListener(listener: CaListener): void {
    this.caListeners.delete(listener);
  }

  addIdentityCertificateListener(listener: IdentityListener): void {
    this.identityListeners.add(listener);
    process.nextTick(() => listener(this.identity()));
  }

  removeIdentityCertificateListener(listener: IdentityListener): void {
    this.identityListeners.delete(listener);
  }

  private identity(): experimental.IdentityCertificateUpdate {
    return { certificate: this.current.cert, privateKey: this.current.key };
  }

  private refresh(): void {
    const { log } = this.options;
    try {
      const loaded = load(this.options);
      this.refused = '';
      if (sameFiles(loaded, this.current)) return;
      this.current = loaded;
      for (const listener of this.caListeners) listener({ caCertificate: loaded.ca });
      for (const listener of this.identityListeners) listener(this.identity());
      log.info({ validUntil: loaded.validUntil }, 'the certificates for RPC were read anew');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.refused)
        log.warn({ reason }, 'the new certificates for RPC cannot be used; the ones before stay in use');
      this.refused = reason;
    }
  }
}

const sameFiles = (a: Loaded, b: Loaded): boolean =>
  a.cert.equals(b.cert) && a.key.equals(b.key) && a.ca.equals(b.ca);

function load({ certFile, keyFile, caFile, app, peerName }: CertificateFilesOptions): Loaded {
  const [cert, key, ca] = [certFile, keyFile, caFile].map(read) as [Buffer, Buffer, Buffer];
  const leaf = parse(certFile, () => new X509Certificate(cert));
  parse(caFile, () => new X509Certificate(ca));
  const privateKey = parse(keyFile, () => createPrivateKey(key));
  const validUntil = new Date(leaf.validTo);
  if (!leaf.checkPrivateKey(privateKey))
    throw new CertificateFault(`${keyFile} is not the key of the certificate in ${certFile}`);
  if (validUntil.getTime() <= Date.now())
    throw new CertificateFault(`${certFile} has expired: it was valid until ${leaf.validTo}`);
  if (!appsNamedBy(leaf.subjectAltName, peerName).includes(app)) {
    const expected = peerName.replace('{service}', app);
    throw new CertificateFault(
      `${certFile} is not the certificate of ${app}: expected the alternative name ${expected}, found ${leaf.subjectAltName ?? 'none'}`,
    );
  }
  parse(certFile, () => createSecureContext({ ca, cert, key }));
  return { cert, key, ca, validUntil };
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CertificateFault(
      `${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`,
    );
  }
}

function parse<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new CertificateFault(`${file} is not usable PEM: ${error instanceof Error ? error.message : ''}`);
  }
}
