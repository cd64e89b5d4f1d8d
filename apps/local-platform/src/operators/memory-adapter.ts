import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterPayload } from 'oidc-provider';

// Enough for the sign-ins of one machine; what is lost at the end is signed in again.
const stored = new LRUCache<string, AdapterPayload>({ max: 10_000 });

/** Keeps what the identity provider has to remember in this process. */
export class MemoryAdapter implements Adapter {
  constructor(private readonly model: string) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    stored.set(this.keyOf(id), payload, expiresIn ? { ttl: expiresIn * 1_000 } : {});
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return stored.get(this.keyOf(id));
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.all().find(([, payload]) => payload.uid === uid)?.[1];
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async consume(id: string): Promise<void> {
    const payload = stored.get(this.keyOf(id));
    if (payload) payload.consumed = Math.floor(Date.now() / 1_000);
  }

  async destroy(id: string): Promise<void> {
    stored.delete(this.keyOf(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of this.all()) if (payload.grantId === grantId) stored.delete(key);
  }

  private all(): [string, AdapterPayload][] {
    return [...stored.entries()].filter(([key]) => key.startsWith(`${this.model}:`));
  }

  private readonly keyOf = (id: string): string => `${this.model}:${id}`;
}
