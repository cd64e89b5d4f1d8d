import { expect, test } from '@jest/globals';
import { newTopup, phoneEnding } from '../src/clients/bodies';
import { OperatorClient } from '../src/clients/operator-client';
import type { Page } from '../src/clients/resources';
import { readPlatformFile } from '../src/platform/platform-file';

interface Run {
  isComplete: boolean;
  openDifferences: number;
  checks: { service: string; check: string; compared: number; failure: string | null }[];
}

const operator = new OperatorClient(readPlatformFile());

test('when orders ended in every way, then all records of all services agree', async () => {
  const { sandbox, live } = await operator.newPartner({ deposit: 500 });
  const ends = ['0001', '0002', '0003', '0005', '0006', '8888'];
  await Promise.all(
    [sandbox, live].flatMap((client) =>
      ends.map((end) => client.topup(newTopup({ phoneNumber: phoneEnding(end) }))),
    ),
  );
  const run = await operator.post<Run>('/reconciliation/run');
  const open = await operator.get<Page<unknown>>('/reconciliation?open=true');
  expect(open.items).toEqual([]);
  expect(run).toMatchObject({ isComplete: true, openDifferences: 0 });
  expect(run.checks.filter(({ failure }) => failure !== null)).toEqual([]);
  const compared = run.checks.find(({ check }) => check === 'orders-funds')?.compared ?? 0;
  expect(compared).toBeGreaterThanOrEqual(12);
});
