import { describe, expect, it } from '@jest/globals';
import type { Order } from '../order/domain/order';
import { VendorUnreachableError, type Vendor } from './domain/vendor';
import { VendorDirectory } from './vendor-directory';

const vendor = (name: string): Vendor => ({
  name,
  submit: () => Promise.reject(new Error('not asked')),
  inquire: () => Promise.reject(new Error('not asked')),
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

  it('when the vendor of an order is no longer configured, then it cannot be reached, which refuses nothing', async () => {
    const gone = directory.vendorOf({ vendorName: 'gone' } as Order);
    const { signal } = new AbortController();
    await expect(gone.inquire('TU-1', { signal })).rejects.toBeInstanceOf(VendorUnreachableError);
    expect(directory.vendorOf({ vendorName: 'second' } as Order).name).toBe('second');
  });
});
