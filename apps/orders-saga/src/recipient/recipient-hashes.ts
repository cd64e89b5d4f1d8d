import { LRUCache } from 'lru-cache';
import { createHmac, randomBytes } from 'node:crypto';
import type { Order } from '../order/domain/order';
import type { RecipientKeyRepository } from './recipient-key.repository';

/** An order of today, one of yesterday that goes on, and some room. */
const DAYS_REMEMBERED = 8;
const KEY_BYTES = 32;
/** Of a day's numbers of one partner no two will ever share so many. */
const HASH_BYTES = 16;

/**
 * What stands for the recipient of an order where finance counts how many it has had (spec §17.5): the same for the same recipient,
 * partner, environment and day of submission, whichever instance makes it, and unlike for any other.
 */
export class RecipientHashes {
  private readonly keys: LRUCache<string, Buffer>;

  constructor(keys: Pick<RecipientKeyRepository, 'keepOrFind'>) {
    this.keys = new LRUCache({
      max: DAYS_REMEMBERED,
      fetchMethod: (day) => keys.keepOrFind(day, randomBytes(KEY_BYTES)),
    });
  }

  /** Reads the key of the day once; throws while the database is away. */
  async hash(
    { submittedAt, environment, partnerId }: Pick<Order, 'submittedAt' | 'environment' | 'partnerId'>,
    recipient: string,
  ): Promise<string> {
    const day = submittedAt.toISOString().slice(0, 10);
    const key = this.keys.get(day) ?? (await this.keys.forceFetch(day));
    const text = `${environment}\n${partnerId}\n${recipient}`;
    return createHmac('sha256', key).update(text).digest().subarray(0, HASH_BYTES).toString('base64url');
  }
}
