import type { TimelineEntry } from '@reseller/contracts';
import type { PrismaClient } from '../generated/prisma/client';

/** Reads the journal of an order for people. */
export class TimelineRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /** All entries of one order, oldest first. */
  async read(orderId: string): Promise<TimelineEntry[]> {
    const steps = await this.prisma.sagaStep.findMany({ where: { orderId }, orderBy: { seq: 'asc' } });
    return steps.map(({ step, outcome, details, recordedAt }) => ({
      occurredAt: recordedAt,
      step,
      outcome: outcome ?? 'Intent',
      detailsJson: details === null ? '' : JSON.stringify(details),
    }));
  }
}
