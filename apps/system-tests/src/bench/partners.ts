import { OperatorClient } from '../clients/operator-client';
import type { TestPartner } from '../clients/operator-client';
import type { StartedPlatform } from '../platform/start-platform';

/** Partners with enough money for any run, all made through the operators' API. */
export async function makePartners(platform: StartedPlatform, count: number): Promise<TestPartner[]> {
  const operator = new OperatorClient(platform.description);
  const partners: TestPartner[] = [];
  while (partners.length < count) {
    const batch = Math.min(10, count - partners.length);
    partners.push(
      ...(await Promise.all(
        Array.from({ length: batch }, () => operator.newPartner({ deposit: 10_000_000 })),
      )),
    );
  }
  return partners;
}
