import { readFileSync } from 'node:fs';

/** A seeded partner's credential. */
export interface Credential {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The world a credential belongs to. */
export type EnvironmentName = 'sandbox' | 'live';

/** One process of a service; the addresses are there where they apply. */
export interface InstanceDescription {
  readonly name: string;
  readonly pid: number;
  /** Of /healthz, /readyz and /metrics. */
  readonly healthUrl: string;
  readonly url?: string;
  readonly grpcAddress?: string;
}

/** What platform.json says (spec §13.3), and every instance of each service. */
export interface PlatformDescription {
  readonly gatewayUrl: string;
  readonly backofficeUrl: string;
  readonly operatorToken: string;
  readonly oidcIssuer: string;
  readonly operators: readonly {
    readonly role: string;
    readonly username: string;
    readonly password: string;
  }[];
  readonly pids: Readonly<Record<string, number>>;
  /** The console of the PgBouncer that services go through; absent without. */
  readonly poolerUrl?: string;
  readonly databases: Readonly<Record<string, string>>;
  readonly instances: Readonly<Record<string, readonly InstanceDescription[]>>;
  readonly partners: readonly {
    readonly name: string;
    readonly partnerId: string;
    readonly partnerGlobalId: string;
    readonly parentPartnerId: string | null;
    readonly credentials: Readonly<Record<EnvironmentName, Credential>>;
  }[];
}

/** Reads the file as it is now: a process that was started again has another pid. */
export function readPlatformFile(file = process.env.PLATFORM_JSON): PlatformDescription {
  if (!file)
    throw new Error('PLATFORM_JSON is missing: expected the path of a running platform’s platform.json');
  return JSON.parse(readFileSync(file, 'utf8')) as PlatformDescription;
}
