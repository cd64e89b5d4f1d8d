/** A brand of the catalog. */
export const exampleBrand = { id: '019a2f50-1c2d-7e55-8b1a-3f4e5d6c7b01', name: 'Maison Qamar' };

/** A variant of 289 SAR, lowered from 340. */
export const exampleVariant = {
  id: '019a2f50-1c2d-7e55-8b1a-3f4e5d6c7b03',
  scentId: '019a2f50-1c2d-7e55-8b1a-3f4e5d6c7b02',
  sku: 'QMR-LAYLO-EDP-100',
  sizeMl: 100,
  listPrice: 289,
  baseCurrency: 'SAR',
  rrp: 340,
  taxClassification: 'STANDARD' as const,
  isSample: false,
  availability: 'Limited' as const,
  availableQuantity: 4,
  displayCurrency: 'USD',
  rate: 0.266667,
  listPriceDisplay: 77.07,
  rrpDisplay: 90.67,
  marketing: {
    currentPrice: 289,
    compareAtPrice: 340,
    discountPercent: 15,
    badges: ['LIMITED' as const, 'BEST_SELLER' as const],
    currentPriceDisplay: 77.07,
    compareAtPriceDisplay: 90.67,
  },
};

/** The scent that it is a variant of. */
export const exampleScent = {
  id: exampleVariant.scentId,
  brandId: exampleBrand.id,
  brandName: exampleBrand.name,
  name: 'Layl Oud',
  description: 'A dark, dry oud that warms to amber over the evening.',
  notes: ['saffron', 'oud', 'amber'],
  gender: 'Unisex' as const,
  concentration: 'Eau de Parfum',
  variants: [exampleVariant],
};
