import { say } from '../console';
import type { SeededPartner } from '../platform-file';
import { BackofficeClient } from './backoffice-client';
import { seedCatalog } from './catalog.step';
import { seedPartners } from './partners.step';
import { seedRates } from './rates.step';
import { SeedState } from './seed-state';
import type { SeedContext, SeedStep } from './seed-step';

/** None needs another, so they run side by side; installations that exist get a new one at their next start. */
const steps: SeedStep[] = [
  { name: 'rates', run: seedRates },
  { name: 'partners', run: seedPartners },
  { name: 'catalog', run: seedCatalog },
];

/** Brings the example data in once (spec §13.5) and returns the partners, the same at every start. */
export async function seed(options: {
  backofficeUrl: string;
  operatorToken: string;
  /** Makes a token of another operator, where one is needed. */
  approverToken: () => Promise<string>;
  stateFile: string;
  importCatalog: SeedContext['importCatalog'];
}): Promise<SeededPartner[]> {
  const state = new SeedState(options.stateFile);
  const missing = steps.filter((step) => !state.isDone(step.name));
  if (missing.length > 0) say('first start: making the example partners and catalog …');
  const backoffice = new BackofficeClient(options.backofficeUrl, options.operatorToken);
  const makeApprover = async () => new BackofficeClient(options.backofficeUrl, await options.approverToken());
  let made: Promise<BackofficeClient> | undefined;
  const approver = () => (made ??= makeApprover());
  const context = { backoffice, approver, state, importCatalog: options.importCatalog };
  await Promise.all(missing.map((step) => step.run(context).then(() => state.markDone(step.name))));
  return state.partners;
}
