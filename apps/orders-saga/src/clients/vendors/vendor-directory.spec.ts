import { describe, expect, it } from '@jest/globals';
import type { Order } from '../../order/domain/order';
import {
  VendorNotAcceptedError,
  VendorUnreachableError,
  type Vendor,
  type VendorOrder,
} from './domain/vendor';
import { VendorDirectory } from './vendor-directory';

const vendor = (name: string): Vendor => ({
  name,
  submit: () => Promise.reject(new Error('not called')),
  inquire: () => Promise.reject(new Error('not called')),
});
const directory = new VendorDirectory(vendor('simulator'), [
  { vendor: vendor('second'), products: ['Topup'], geoScopes: ['*'], priority: 2 },
  { vendor: vendor('first'), products: ['Topup'], geoScopes: ['GEO-SA'], priority: 1 },
]);

describe('VendorDirectory', () => {
  it('when several sell an order, then the lowest priority is asked; sandbox orders go to the simulator', () => {
    expect(directory.choose('live', 'Topup', 'GEO-SA')?.name).toBe('first');
    expect(directory.choose('live', 'Topup', 'GEO-AE')?.name).toBe('second');
    expect(directory.choose('live', 'Esim', 'GEO-SA')).toBeUndefined();
    expect(directory.choose('sandbox', 'Esim', 'GEO-SA')?.name).toBe('simulator');
  });

  it('when a vendor sells everything, then it is asked for any product', () => {
    const seller = { vendor: vendor('all'), products: ['*'], geoScopes: ['*'], priority: 1 };
    expect(new VendorDirectory(vendor('simulator'), [seller]).choose('live', 'Esim', 'GEO-EG')?.name).toBe(
      'all',
    );
  });

  it('when vendors are left out, then the next that sells the order is chosen, by geo scope and priority', () => {
    const order = (geoScopeGlobalId: string): Order =>
      ({ environment: 'live', product: 'Topup', geoScopeGlobalId }) as Order;
    expect(directory.chooseFor(order('GEO-SA'))?.name).toBe('first');
    expect(directory.chooseFor(order('GEO-SA'), ['first'])?.name).toBe('second');
    expect(directory.chooseFor(order('GEO-SA'), ['first', 'second'])).toBeUndefined();
    expect(directory.chooseFor(order('GEO-AE'), ['second'])).toBeUndefined();
    const rehearsal = { ...order('GEO-SA'), environment: 'sandbox' } as Order;
    expect(directory.chooseFor(rehearsal, ['simulator'])).toBeUndefined();
  });

  it('when the vendor of an order is no longer configured, then it cannot be reached, which refuses nothing', async () => {
    const gone = directory.vendorOf({ vendorName: 'gone' } as Order);
    const { signal } = new AbortController();
    const inquiry = gone.inquire('TU-1', { signal });
    await expect(inquiry).rejects.toBeInstanceOf(VendorUnreachableError);
    await expect(inquiry).rejects.not.toBeInstanceOf(VendorNotAcceptedError);
    const submission = gone.submit({} as VendorOrder, {
      idempotencyKey: 'TU-1',
      signal,
      isHeld: () => true,
    });
    await expect(submission).rejects.toBeInstanceOf(VendorNotAcceptedError);
    expect(directory.vendorOf({ vendorName: 'second' } as Order).name).toBe('second');
  });
});
