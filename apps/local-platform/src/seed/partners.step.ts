import { BackofficeError } from './backoffice-client';
import type { PartnerDraft } from './seed-state';
import type { SeedContext } from './seed-step';

const environments = ['sandbox', 'live'] as const;
type Environment = (typeof environments)[number];

interface Example {
  name: string;
  parent?: string;
  /** SAR in each environment; none opens no wallet. */
  deposit?: number;
  settings: Record<string, unknown>;
}

/** The partners of spec §13.5. */
const examples: Example[] = [
  {
    name: 'Acme',
    deposit: 10_000,
    settings: {
      displayCurrency: 'USD',
      marketingEnabled: true,
      isVatRegistered: true,
      taxRegistrationNumber: '300000000000003',
    },
  },
  { name: 'Acme North', parent: 'Acme', deposit: 1_000, settings: {} },
  { name: 'Acme North Kiosk', parent: 'Acme North', deposit: 100, settings: {} },
  { name: 'Globex', deposit: 5_000, settings: { marketingEnabled: false, isVatRegistered: false } },
  { name: 'Initech', settings: {} },
];

interface PartnerRecord {
  id: string;
  globalId: string;
  name: string;
  parentPartnerId: string | null;
}

interface Page<T> {
  items: T[];
  pagination: { totalPages: number };
}

/** Makes the example partners with their wallets and a credential for each environment. */
export async function seedPartners(context: SeedContext): Promise<void> {
  const existing = await listPartners(context);
  // One after another, since each has the next number, and a parent comes before its children.
  let last: Promise<unknown> = Promise.resolve();
  const made = examples.map((example) => {
    const partner = last.then(() => ensurePartner(context, example, existing));
    last = partner;
    return { partner, deposit: example.deposit };
  });
  await Promise.all(made.map(async ({ partner, deposit }) => equip(context, await partner, deposit)));
}

/** Credentials for a partner, and wallets with a deposit where there is one. */
async function equip(
  context: SeedContext,
  partner: PartnerDraft,
  deposit: number | undefined,
): Promise<void> {
  const ensured = environments.flatMap((environment) => [
    ensureCredential(context, partner, environment),
    ...(deposit === undefined ? [] : [ensureWallet(context, partner, environment, deposit)]),
  ]);
  await Promise.all(ensured);
}

async function listPartners({ backoffice }: SeedContext): Promise<PartnerRecord[]> {
  const found: PartnerRecord[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const response = await backoffice.get<Page<PartnerRecord>>(`/partners?pageSize=100&page=${page}`);
    found.push(...response.items);
    pages = response.pagination.totalPages;
  }
  return found;
}

/** A partner made by a start that crashed before it could take note of it is found by its name. */
async function ensurePartner(
  { backoffice, state }: SeedContext,
  example: Example,
  existing: PartnerRecord[],
): Promise<PartnerDraft> {
  const known = state.partner(example.name);
  if (known) return known;
  const parentPartnerId = example.parent ? state.partner(example.parent)?.partnerId : undefined;
  const made =
    existing.find(({ name }) => name === example.name) ??
    (await backoffice.post<PartnerRecord>('/partners', {
      name: example.name,
      ...example.settings,
      ...(parentPartnerId ? { parentPartnerId } : {}),
    }));
  const partner: PartnerDraft = {
    name: made.name,
    partnerId: made.id,
    partnerGlobalId: made.globalId,
    parentPartnerId: made.parentPartnerId,
    credentials: {},
  };
  state.putPartner(partner);
  return partner;
}

/** The examples have live credentials from the start; what they have shown still counts from nothing (spec §17.6). */
const WAIVED = { reason: 'An example of the local platform.' };

async function ensureCredential(
  { backoffice, state }: SeedContext,
  partner: PartnerDraft,
  environment: Environment,
): Promise<void> {
  if (partner.credentials[environment]) return;
  if (environment === 'live' && process.env['LIVE_CREDENTIALS_NEED_CERTIFICATION'] === 'true')
    await backoffice.post(`/partners/${partner.partnerId}/certification/waive`, WAIVED);
  const made = await backoffice.post<{ clientId: string; clientSecret: string }>(
    `/partners/${partner.partnerId}/credentials`,
    { environment },
  );
  partner.credentials[environment] = { clientId: made.clientId, clientSecret: made.clientSecret };
  state.putPartner(partner);
}

async function ensureWallet(
  { backoffice, approver }: SeedContext,
  partner: PartnerDraft,
  environment: Environment,
  deposit: number,
): Promise<void> {
  const wallet = `/partners/${partner.partnerId}/wallet`;
  await backoffice.post(wallet, { environment });
  // The key is fixed, so a start that crashed right here credits nothing twice.
  const credit = {
    environment,
    amount: deposit,
    notes: 'Opening balance',
    idempotencyKey: 'seed-opening-balance',
  };
  for (let tries = 1; ; tries += 1) {
    try {
      await backoffice.post(`${wallet}/credit`, credit);
      return;
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      await approve(error, approver);
    }
  }
}

/** The first approval may have no time left (APPROVAL_TTL_MS) once there is a token to approve it with, and the next one is another. */
const MOST_TRIES = 5;

/** Approves, as another operator, what was refused for want of that; any other refusal is thrown again. */
async function approve(refusal: unknown, approver: SeedContext['approver']): Promise<void> {
  if (!(refusal instanceof BackofficeError) || !refusal.approvalId) throw refusal;
  const other = await approver();
  await other.post(`/approvals/${refusal.approvalId}/approve`, {}).catch((error: unknown) => {
    // The first try's response was lost, or it was too late.
    if (!(error instanceof BackofficeError) || error.state !== 'CONFLICT_APPROVAL_DECIDED') throw error;
  });
}
