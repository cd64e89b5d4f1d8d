import type { SecretSeal } from '@reseller/service-kit';
import { importPKCS8, type CryptoKey } from 'jose';
import type { Clock } from '../clock';
import { JWKS_MAX_AGE_MS, KEY_RING_MAX_AGE_MS, publishedKeysAt, signingKeyAt } from './domain/key-schedule';
import type { SigningKeyRecord, SigningKeyRepository } from './signing-key.repository';

/** A key ready to sign. */
export interface SigningKey {
  keyId: string;
  privateKey: CryptoKey;
}

interface OpenedKey extends SigningKeyRecord {
  privateKey: CryptoKey;
}

/** One instance's knowledge of the signing keys, never older than KEY_RING_MAX_AGE_MS when it is used. */
export class KeyRing {
  private keys: OpenedKey[] = [];
  private loadedAt = Number.NEGATIVE_INFINITY;
  private loading: Promise<void> | undefined;

  constructor(
    private readonly signingKeys: SigningKeyRepository,
    private readonly seal: SecretSeal,
    private readonly clock: Clock,
  ) {}

  /**
   * The key that signs now; no database access while the ring is fresh and knows as many revoked keys as it should. Without a number
   * the keys are read anew.
   */
  async signingKey(revokedKeys?: number): Promise<SigningKey> {
    await this.ensureFresh();
    if (this.keys.filter((key) => key.revokedAt).length !== revokedKeys) await this.reload();
    const key = signingKeyAt(this.keys, this.clock.now());
    if (!key) throw new Error('there is no signing key: the rotation has not run');
    return key;
  }

  /** The key set for verifiers (RFC 7517) and how long they may keep it. */
  async publish(): Promise<{ jwksJson: string; maxAgeSeconds: number }> {
    // Never from memory: what another instance made since may sign already.
    await this.reload();
    const keys = publishedKeysAt(this.keys, this.clock.now()).map((key) => key.publicJwk);
    return { jwksJson: JSON.stringify({ keys }), maxAgeSeconds: JWKS_MAX_AGE_MS / 1000 };
  }

  private async ensureFresh(): Promise<void> {
    if (this.clock.now().getTime() - this.loadedAt < KEY_RING_MAX_AGE_MS) return;
    await (this.loading ?? this.reload());
  }

  private reload(): Promise<void> {
    const loading = this.load().finally(() => {
      if (this.loading === loading) this.loading = undefined;
    });
    this.loading = loading;
    return loading;
  }

  private async load(): Promise<void> {
    // The age counts from before the read: what was committed after it may be missing.
    const startedAt = this.clock.now().getTime();
    const records = await this.signingKeys.list();
    this.keys = await Promise.all(records.map((record) => this.openKey(record)));
    this.loadedAt = startedAt;
  }

  private async openKey(record: SigningKeyRecord): Promise<OpenedKey> {
    const known = this.keys.find((key) => key.keyId === record.keyId);
    if (known) return { ...record, privateKey: known.privateKey };
    const pkcs8 = this.seal.open(record.keyId, record.sealed);
    return { ...record, privateKey: await importPKCS8(pkcs8, 'EdDSA') };
  }
}
