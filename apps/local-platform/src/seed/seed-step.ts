import type { BackofficeClient } from './backoffice-client';
import type { SeedState } from './seed-state';

/** What a step may use; what it makes goes through the operators' API or an operator's command, as a person would make it. */
export interface SeedContext {
  backoffice: BackofficeClient;
  /** The same as another operator, for what needs two (spec §18.3). */
  approver: () => Promise<BackofficeClient>;
  state: SeedState;
  /** Runs scent-commerce's import command on its example catalog. */
  importCatalog: () => Promise<void>;
}

/** One part of the seed data. Run until it has succeeded once; safe to run again after a crash in the middle. */
export interface SeedStep {
  name: string;
  run: (context: SeedContext) => Promise<void>;
}
