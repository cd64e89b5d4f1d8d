import type { SeedContext } from './seed-step';

/** Brings the example catalog in (spec §13.5). */
export function seedCatalog({ importCatalog }: SeedContext): Promise<void> {
  return importCatalog();
}
