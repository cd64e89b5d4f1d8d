import type { SeedContext } from './seed-step';

/** Brings the example catalog in (decisions §13.5). */
export function seedCatalog({ importCatalog }: SeedContext): Promise<void> {
  return importCatalog();
}
