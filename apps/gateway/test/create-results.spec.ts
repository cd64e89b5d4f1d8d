import { beforeAll, describe, expect, it } from '@jest/globals';
import { CreateResultsServiceService, type CreateResults } from '@reseller/contracts';
import { eventually } from '@reseller/testing';
import { useGateway } from './support/gateway';

const TOPUPS = '/api/v1/orders/topup';

describe('what creates came to (spec §18.7)', () => {
  const gateway = useGateway();
  const reported: CreateResults[] = [];
  beforeAll(() => {
    gateway.dependencies.servers.ordersSaga.on(CreateResultsServiceService, {
      recordCreates: ({ batches }) => {
        reported.push(...batches.flatMap(({ results }) => results));
        return {};
      },
    });
  });

  const counted = (): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const { code, offsetsMs } of reported) counts[code] = (counts[code] ?? 0) + offsetsMs.length;
    return counts;
  };

  it('when creates are served and refused, then each is reported once under its code, and no other request is', async () => {
    const body = {
      externalReference: 'A',
      geoScopeGlobalId: 'GEO-SA',
      amount: 10,
      phoneNumber: '+966500000009',
    };
    for (const sent of [body, body, {}]) await gateway.post(gateway.token, TOPUPS, sent);
    await gateway.sendAs(gateway.token, TOPUPS);
    await gateway.post('unknown', TOPUPS, body);
    await eventually(() => expect(counted()).toEqual({ '': 2, VALIDATION_FAILED: 1 }));
    const served = reported.filter(({ code }) => code === '');
    expect(served.flatMap(({ durationsMs }) => durationsMs)).toHaveLength(2);
  });
});
