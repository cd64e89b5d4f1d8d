import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { Prisma, PrismaClient } from '../generated/prisma/client';
import type { Transaction } from '../transaction';
import { missingSteps, PRODUCT_NAMES, type StepName } from './domain/certification';

/** By what a step was shown. */
export interface EvidenceRecord {
  evidenceType: string;
  evidenceId: string;
  requestId: string;
}

/** A step that was shown. */
export interface StepRecord extends EvidenceRecord {
  step: string;
  shownAt: Date;
}

/** What was decided about a partner's certification. */
export interface CertificationDecision {
  products: string[];
  certifiedAt: Date | null;
  waivedBy: string | null;
  waiveReason: string | null;
}

/** Where a partner stands. */
export interface CertificationRecord extends CertificationDecision {
  partnerId: string;
  shown: StepRecord[];
}

const DECISION = { products: true, certifiedAt: true, waivedBy: true, waiveReason: true };
const STEP = { step: true, shownAt: true, evidenceType: true, evidenceId: true, requestId: true };

/** Of a partner about whom nothing was decided yet. */
const UNDECIDED: CertificationDecision = {
  products: [...PRODUCT_NAMES],
  certifiedAt: null,
  waivedBy: null,
  waiveReason: null,
};

// Raw: several rows are made and locked in the order of their keys, so that two transactions never wait for each other.
const MAKE: PreparedStatement = {
  name: 'certifications-make',
  text: `INSERT INTO certifications (partner_id)
    SELECT id FROM unnest($1::uuid[]) AS id ORDER BY id ON CONFLICT DO NOTHING`,
};
// Raw: as above.
const LOCK: PreparedStatement = {
  name: 'certifications-lock',
  text: `SELECT partner_id AS "partnerId", products, certified_at AS "certifiedAt" FROM certifications
    WHERE partner_id = ANY ($1::uuid[]) ORDER BY partner_id FOR UPDATE`,
};
// Raw: in the transactions of plain statements too.
const LIST_SHOWN: PreparedStatement = {
  name: 'certification-steps-shown',
  text: `SELECT partner_id AS "partnerId", array_agg(step) AS steps FROM certification_steps
    WHERE partner_id = ANY ($1::uuid[]) GROUP BY partner_id`,
};
// Raw: by the database's clock, as every moment of a decision.
const CERTIFY: PreparedStatement = {
  name: 'certification-certify',
  text: `UPDATE certifications SET certified_at = clock_timestamp()
    WHERE partner_id = ANY ($1::uuid[]) AND certified_at IS NULL RETURNING partner_id`,
};
// Raw: as above.
const WAIVE: PreparedStatement = {
  name: 'certification-waive',
  text: `UPDATE certifications SET certified_at = clock_timestamp(), waived_by_name = $2, waive_reason = $3
    WHERE partner_id = $1::uuid AND certified_at IS NULL RETURNING partner_id`,
};

/** Reads and writes where partners stand. */
export class CertificationRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** Where a partner stands, known or not; without a transaction that has it locked by one snapshot, so that the last step certifies at once. */
  async read(partnerId: string, tx?: Transaction): Promise<CertificationRecord> {
    const readBy = async (prisma: Prisma.TransactionClient): Promise<CertificationRecord> => {
      // One after the other: a transaction is one connection.
      const decision = await prisma.certification.findUnique({ where: { partnerId }, select: DECISION });
      const shown = await prisma.certificationStep.findMany({ where: { partnerId }, select: STEP });
      return { partnerId, ...(decision ?? UNDECIDED), shown };
    };
    return tx ? readBy(tx.prisma) : this.prisma.$transaction(readBy, { isolationLevel: 'RepeatableRead' });
  }

  /** Locks what is decided about a partner, which is there from then on, and returns it. */
  async lock(partnerId: string, tx: Transaction): Promise<CertificationDecision> {
    await lockAll(tx.sql, [partnerId]);
    return tx.prisma.certification.findUniqueOrThrow({ where: { partnerId }, select: DECISION });
  }

  /** Says what a locked partner sells. */
  async setProducts(partnerId: string, products: readonly string[], { prisma }: Transaction): Promise<void> {
    await prisma.certification.update({ where: { partnerId }, data: { products: [...products] } });
  }

  /** Certifies a locked partner without the steps that are missing; false when it is certified already. */
  async waive(partnerId: string, by: string, reason: string, { sql }: Transaction): Promise<boolean> {
    return (await query(sql, WAIVE, [partnerId, by, reason])).length > 0;
  }
}

/** What each of the partners has shown so far; one that has shown nothing is left out. */
export async function listShown(
  db: Queryable,
  partnerIds: readonly string[],
): Promise<ReadonlyMap<string, StepName[]>> {
  const rows = await query<{ partnerId: string; steps: StepName[] }>(db, LIST_SHOWN, [partnerIds]);
  return new Map(rows.map(({ partnerId, steps }) => [partnerId, steps]));
}

/**
 * Certifies those of the partners that have shown everything, and returns them. Under their locks, so that of two transactions that
 * each show one of the last two steps the second sees both.
 */
export async function certifyWhoHasShownAll(
  sql: Queryable,
  partnerIds: readonly string[],
): Promise<readonly string[]> {
  if (partnerIds.length === 0) return [];
  const locked = await lockAll(sql, partnerIds);
  const shown = await listShown(sql, partnerIds);
  const complete = locked.filter(
    ({ partnerId, products, certifiedAt }) =>
      !certifiedAt && missingSteps(products, new Set(shown.get(partnerId))).length === 0,
  );
  if (complete.length === 0) return [];
  const ids = complete.map(({ partnerId }) => partnerId);
  await query(sql, CERTIFY, [ids]);
  return ids;
}

async function lockAll(sql: Queryable, partnerIds: readonly string[]) {
  await query(sql, MAKE, [partnerIds]);
  return query<{ partnerId: string; products: string[]; certifiedAt: Date | null }>(sql, LOCK, [partnerIds]);
}
