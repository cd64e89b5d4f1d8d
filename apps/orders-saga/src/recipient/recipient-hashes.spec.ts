import { describe, expect, it } from '@jest/globals';
import { RecipientHashes } from './recipient-hashes';

const order = {
  submittedAt: new Date('2026-03-01T23:59:59.999Z'),
  environment: 'live',
  partnerId: '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10',
} as const;
const PHONE = '+966501234567';

/** Keys as the database keeps them for all instances. */
function keptKeys() {
  const keys = new Map<string, Buffer>();
  const asked: string[] = [];
  return {
    asked,
    keepOrFind(day: string, key: Buffer): Promise<Buffer> {
      asked.push(day);
      const kept = keys.get(day) ?? key;
      keys.set(day, kept);
      return Promise.resolve(kept);
    },
  };
}

describe('hashes of recipients', () => {
  it('when two instances hash the same number of a day, then they get the same, and read its key once each', async () => {
    const keys = keptKeys();
    const [one, two] = [new RecipientHashes(keys), new RecipientHashes(keys)];
    const hashes = await Promise.all([one, one, two].map((hashesOf) => hashesOf.hash(order, PHONE)));
    expect(new Set(hashes).size).toBe(1);
    expect(await one.hash(order, PHONE)).toBe(hashes[0]);
    expect(keys.asked).toEqual(['2026-03-01', '2026-03-01']);
    expect(hashes[0]).toMatch(/^[\w-]{22}$/);
  });

  it.each([
    ['another number', order, '+966501234568'],
    ['another partner', { ...order, partnerId: '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a11' }, PHONE],
    ['the other environment', { ...order, environment: 'sandbox' as const }, PHONE],
    ['the next day', { ...order, submittedAt: new Date('2026-03-02T00:00:00Z') }, PHONE],
  ])('when it is %s, then the hash is another', async (_, another, phone) => {
    const hashes = new RecipientHashes(keptKeys());
    expect(await hashes.hash(another, phone)).not.toBe(await hashes.hash(order, PHONE));
  });

  it('when the key could not be read, then the next order reads it', async () => {
    const keys = keptKeys();
    let isAway = true;
    const hashes = new RecipientHashes({
      keepOrFind: (day, key) => (isAway ? Promise.reject(new Error('away')) : keys.keepOrFind(day, key)),
    });
    await expect(hashes.hash(order, PHONE)).rejects.toThrow('away');
    isAway = false;
    await expect(hashes.hash(order, PHONE)).resolves.toBeDefined();
  });
});
