import { parseArgs } from 'node:util';
import { readPlatformFile, type EnvironmentName } from '../platform/platform-file';
import { seedHistory } from './seed-history';

/** How many orders, over how many days up to now, for which partner of which platform. */
interface SeedOptions {
  readonly count: number;
  readonly days: number;
  /** A name or id. */
  readonly partner: string;
  readonly environment: EnvironmentName;
  /** Path of its platform.json. */
  readonly platform: string;
}

/** Reads the command line; a flag that cannot be used is an error that names it. */
export function parseSeedOptions(args: string[]): SeedOptions {
  const { values } = parseArgs({
    args,
    options: {
      count: { type: 'string', default: '1000000' },
      partner: { type: 'string', default: 'Acme' },
      environment: { type: 'string', default: 'sandbox' },
      days: { type: 'string', default: '800' },
      platform: { type: 'string', default: process.env.PLATFORM_JSON || '.local/platform.json' },
    },
  });
  const { environment, partner, platform } = values;
  if (environment !== 'sandbox' && environment !== 'live')
    throw new Error(`--environment must be sandbox or live, not ${environment}`);
  const [count, days] = [wholeNumber('count', values.count), wholeNumber('days', values.days)];
  return { count, days, partner, environment, platform };
}

/** `npm run seed:orders`: adds orders to a partner of the platform that runs here; see the README for its flags. */
export async function runSeed({ count, days, environment, ...options }: SeedOptions): Promise<void> {
  const platform = readPlatformFile(options.platform);
  const partner = platform.partners.find(
    ({ name, partnerId, partnerGlobalId }) =>
      name === options.partner || [partnerId, partnerGlobalId].includes(options.partner),
  );
  if (!partner) {
    const names = platform.partners.map(({ name }) => name).join(', ');
    throw new Error(`--partner must be one of ${names}, by name or id, not ${options.partner}`);
  }
  const seconds = await seedHistory({
    databases: platform.databases,
    partners: [[{ id: partner.partnerId, globalId: partner.partnerGlobalId }, count]],
    environment,
    days,
    onProgress: (made) => process.stdout.write(`\r${made} of ${count} orders`),
  });
  process.stdout.write(
    `\n${partner.name} has ${count} more ${environment} orders, in ${seconds.toFixed(0)} s\n` +
      'No ledger knows of them, so from now on the reconciler of this platform lists them (orders-funds).\n',
  );
}

function wholeNumber(name: string, text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`--${name} must be a whole number from 1, not ${text}`);
  return Number(text);
}
