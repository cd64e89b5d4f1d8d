import { describeContract, scentContract } from '@reseller/contract-testing/contracts';
import { addBrand, addScent, addVariant } from './catalog-data';
import { startScentService } from './scent-service';

// What scent-commerce promises to every other service: libs/contract-testing/src/scent.
describeContract(scentContract, async ({ finance }) => {
  const scents = await startScentService({ FINANCE_ADDRESS: finance ?? '', DATABASE_POOL_SIZE: '3' });
  for (let brand = 0; brand < 3; brand += 1) {
    const brandId = await addBrand(scents.database);
    for (let scent = 0; scent < 3; scent += 1) {
      const scentId = await addScent(scents.database, { brandId });
      for (const size of [50, 100])
        await addVariant(scents.database, {
          scentId,
          sizeMl: size,
          warehouse: `W${scent % 2}`,
          taxClassification: scent === 2 ? 'ZERO' : 'STANDARD',
          isSample: scent === 1,
        });
    }
  }
  return scents;
});
