import type { PageRequest } from '@reseller/contracts';
import { pageBounds } from '@reseller/database';
import type { SealedSecret } from '@reseller/service-kit';
import type { Prisma, PrismaClient } from '../generated/prisma/client';
import type { RecipientKind } from './domain/erased-request';

/** An erasure without what only its job needs. */
export type ErasureRecord = Pick<
  Prisma.ErasureGetPayload<object>,
  | 'id'
  | 'kind'
  | 'subjectHash'
  | 'reason'
  | 'status'
  | 'requestedBy'
  | 'requestedAt'
  | 'completedAt'
  | 'orders'
>;

/** An erasure that is requested. */
interface NewErasure {
  readonly id: string;
  readonly kind: RecipientKind;
  readonly subjectHash: string;
  readonly reason: string;
  readonly requestedBy: string;
  readonly requestId: string;
  readonly sealed: SealedSecret;
}

const RUNNING = { status: 'Running' };

/** Keeps what was requested to be erased. */
export class ErasureRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** The erasure, or the one of the same recipient that is Running. */
  async request({ sealed, ...erasure }: NewErasure): Promise<ErasureRecord> {
    const sealedRecipient = Uint8Array.from(sealed.ciphertext);
    const row = { ...erasure, sealedRecipient, sealedBy: sealed.keyId };
    // The index of running ones decides; one that ends in between leaves room for another try.
    for (;;) {
      const { count } = await this.prisma.erasure.createMany({ data: [row], skipDuplicates: true });
      if (count === 1) return this.prisma.erasure.findUniqueOrThrow({ where: { id: erasure.id } });
      const { kind, subjectHash } = erasure;
      const running = await this.prisma.erasure.findFirst({ where: { kind, subjectHash, ...RUNNING } });
      if (running) return running;
    }
  }

  /** One of them. */
  find(id: string): Promise<ErasureRecord | null> {
    return this.prisma.erasure.findUnique({ where: { id } });
  }

  /** A page, newest first, and how many there are. */
  async list(page: PageRequest | undefined): Promise<readonly [ErasureRecord[], number]> {
    const { limit, offset } = pageBounds(page);
    const orderBy = [
      { requestedAt: 'desc' },
      { id: 'desc' },
    ] satisfies Prisma.ErasureOrderByWithRelationInput[];
    return Promise.all([
      this.prisma.erasure.findMany({ orderBy, skip: offset, take: limit }),
      this.prisma.erasure.count(),
    ]);
  }
}
