import { existsSync, rmSync } from 'node:fs';
import type { DatabaseOwner } from './postgres/databases';
import { readPrivateJson, writePrivateJson } from './private-file';
import type { LocalOperator } from './operators/operators';
import type { ServiceName } from './services';

/** A partner with its credentials as platform.json lists it. */
export interface SeededPartner {
  name: string;
  partnerId: string;
  partnerGlobalId: string;
  parentPartnerId: string | null;
  credentials: Record<'sandbox' | 'live', { clientId: string; clientSecret: string }>;
}

/** Everything that runs, by the name platform.json gives it; further instances of a service have a number behind. */
export type ProcessName = ServiceName | 'postgres' | 'pgbouncer';

/** One process of a service and where it is reached; what does not apply is absent. */
export interface InstanceDescription {
  name: string;
  pid: number;
  /** Of /healthz, /readyz and /metrics. */
  healthUrl: string;
  /** Of an edge or the vendor: what it serves to those outside. */
  url?: string;
  /** Of a service that serves RPCs: host:port. */
  grpcAddress?: string;
}

/** The shape of spec §13.3, and additively every instance of each service. */
export interface PlatformDescription {
  gatewayUrl: string;
  backofficeUrl: string;
  /** The admin's; absent with NODE_ENV=production. */
  operatorToken?: string;
  /** Where operators sign in; absent where nobody can. */
  oidcIssuer?: string;
  /** One for each role, of this machine's own identity provider only. */
  operators?: Pick<LocalOperator, 'role' | 'username' | 'password'>[];
  /** `pgbouncer` only where there is one. */
  pids: Record<ProcessName, number>;
  /** As the administrator, for whoever looks into them. */
  databases: Record<Exclude<DatabaseOwner, 'vendor-simulator' | 'event-bus'>, string>;
  /** The console of the PgBouncer that services go through; absent without. */
  poolerUrl?: string;
  partners: SeededPartner[];
  instances: Record<ServiceName, InstanceDescription[]>;
}

const WRITE_AGAIN_MS = 1_000;

/** platform.json: there from the moment everything is ready until the stop begins, with the pids of the moment. */
export class PlatformFile {
  private published: PlatformDescription | undefined;
  private again: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: string,
    private readonly onFault: (error: Error) => void,
  ) {}

  /** What a starter that was killed left behind; undefined when there is nothing of use. */
  readStale(): Partial<PlatformDescription> | undefined {
    if (!existsSync(this.file)) return undefined;
    try {
      return readPrivateJson<Partial<PlatformDescription>>(this.file);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  publish(description: PlatformDescription): void {
    this.published = description;
    writePrivateJson(this.file, description);
  }

  /** Replaces one pid; before anything is published there is nothing to replace. */
  replacePid(name: ProcessName, pid: number): void {
    if (!this.published || this.published.pids[name] === pid) return;
    const instances = Object.entries(this.published.instances).map(([service, all]) => [
      service,
      all.map((one) => (one.name === name ? { ...one, pid } : one)),
    ]);
    this.published = {
      ...this.published,
      pids: { ...this.published.pids, [name]: pid },
      instances: Object.fromEntries(instances) as PlatformDescription['instances'],
    };
    if (!this.again) this.rewrite(this.onFault);
  }

  /** What runs goes on when the disk takes no new file; the one that is there has the pids of before until it does. */
  private rewrite(onFault: (error: Error) => void): void {
    this.again = undefined;
    try {
      writePrivateJson(this.file, this.published);
    } catch (error) {
      onFault(error as Error);
      this.again = setTimeout(() => this.rewrite(() => undefined), WRITE_AGAIN_MS);
    }
  }

  remove(): void {
    this.published = undefined;
    clearTimeout(this.again);
    this.again = undefined;
    rmSync(this.file, { force: true });
  }
}
