import { randomUUID } from 'node:crypto';
import { kafkaForTests } from '@reseller/testing';
import { Kafka, logLevel, type Admin } from 'kafkajs';

const found = kafkaForTests();
/** Why there is no broker; undefined when there is one. */
export const { missing } = found;

/** Where the run's shared broker is. */
export const sharedUrl = `kafka://${found.brokers}`;

/** What a test's topics and groups begin with on the shared broker. */
export function ownPrefix(): string {
  return `t-${randomUUID().slice(0, 8)}.`;
}

/** A log that keeps its lines. */
export function keepingLog(): {
  lines: { level: string; details: Record<string, unknown>; text: string }[];
} & Record<'info' | 'warn' | 'error', (details: object, text?: string) => void> {
  const lines: { level: string; details: Record<string, unknown>; text: string }[] = [];
  const at = (level: string) => (details: object, text?: string) =>
    void lines.push({ level, details: details as Record<string, unknown>, text: text ?? '' });
  return { lines, info: at('info'), warn: at('warn'), error: at('error') };
}

/** Does something as the brokers' administrator. */
export async function asAdmin<T>(url: string, work: (admin: Admin) => Promise<T>): Promise<T> {
  const retry = { retries: 2 };
  const brokers = url.replace('kafka://', '').split(',');
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING, retry }).admin({ retry });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}
