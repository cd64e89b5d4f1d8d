import type { SeedContext } from './seed-step';

/** Display units for one SAR. */
const rates = { USD: 0.266667, EUR: 0.245, GBP: 0.21, AED: 0.979333, EGP: 12.85 };

/** Sets the display rates of the currencies that the examples use. */
export async function seedRates({ backoffice }: SeedContext): Promise<void> {
  await Promise.all(
    Object.entries(rates).map(([currency, rate]) => backoffice.put(`/rates/${currency}`, { rate })),
  );
}
