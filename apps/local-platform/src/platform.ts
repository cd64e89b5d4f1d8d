import { initialiseCluster } from '@reseller/local-postgres';
import type { Server } from 'node:http';
import path from 'node:path';
import { warn } from './console';
import type { DataDirectory } from './data-directory';
import { describePlatform } from './description';
import { firstOf, type Instance, serviceOf } from './instances';
import { endLeftovers } from './leftovers';
import { localOperators } from './operators/operators';
import { startProviderServer } from './operators/provider-server';
import { makeTemporaryToken } from './operators/temporary-token';
import { PlatformFile, type PlatformDescription, type ProcessName } from './platform-file';
import { poolerPlan } from './pooler/pooler';
import { changePasswords, createDatabases, POSTGRES_USER } from './postgres/databases';
import { rotateLog } from './processes/log-file';
import { findPreparedCluster, spareCopyOf } from './prepared/prepared-cluster';
import { SpareCopyMaker } from './prepared/spare-copy';
import { ManagedProcess, type ProcessPlan } from './processes/managed-process';
import { postgresPlan } from './processes/postgres-plan';
import { untilReady } from './processes/until-ready';
import type { Secrets } from './secrets';
import { importExampleCatalog } from './seed/import-catalog';
import { seed } from './seed/seed';
import {
  appUrl,
  isProduction,
  OIDC_CLIENT_ID,
  serviceEnvironment,
  stopLimitMs,
  type Wiring,
} from './service-environment';
import { folderOf, stopOrder } from './services';
import { StartRefused, type PlatformSettings } from './settings';
import { wirePlatform, type LocalWiring } from './wiring';

/** A process that cannot even start once is not helped by trying for ever. */
const MAX_DEATHS_AT_START = 3;
const START_LIMIT_MS = 90_000;
const ROTATE_EVERY_MS = 60_000;

/** The whole platform on this machine: PostgreSQL, every service, and the file that describes them. */
export class Platform {
  private readonly file: PlatformFile;
  private readonly processes = new Map<string, ManagedProcess>();
  private readonly pids = new Map<string, number>();
  private refuseStart: (reason: Error) => void = () => undefined;
  private isStopping = false;
  private isReady = false;
  private rotation: NodeJS.Timeout | undefined;
  private provider: Server | undefined;
  /** Whether this start's data began as a copy of the prepared cluster. */
  private isCopy = false;
  private spareCopy: SpareCopyMaker | undefined;

  constructor(
    private readonly bundle: string,
    private readonly settings: PlatformSettings,
    private readonly data: DataDirectory,
  ) {
    this.file = new PlatformFile(data.platformFile, ({ message }) =>
      warn(`platform.json has a pid of before until it can be written: ${message}`),
    );
  }

  /** Resolves with what runs once everything is ready; undefined when it was stopped meanwhile. */
  async start(): Promise<PlatformDescription | undefined> {
    const stale = this.file.readStale();
    this.file.remove();
    await endLeftovers(stale);
    const wiring = await wirePlatform(this.settings, this.data);
    const refused = new Promise<never>((_, reject) => (this.refuseStart = reject));
    const limit = setTimeout(() => this.refuseStart(this.tooLong()), START_LIMIT_MS);
    try {
      const description = await Promise.race([this.bringUp(wiring), refused]);
      if (this.isStopping) return undefined;
      this.isReady = true;
      this.file.publish(description);
      this.keepLogsSmall();
      this.spareCopy?.startLater();
      return description;
    } catch (error) {
      if (this.isStopping) return undefined;
      throw error;
    } finally {
      clearTimeout(limit);
    }
  }

  /** Ends everything in order, PostgreSQL last; calling it twice does no harm. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.rotation);
    this.spareCopy?.stop();
    this.provider?.close();
    this.provider?.closeAllConnections();
    this.file.remove();
    const running = [...this.processes.values()];
    for (const stage of [...stopOrder, ['pgbouncer'], ['postgres']]) {
      const those = running.filter(({ name }) => (stage as readonly string[]).includes(serviceOf(name)));
      await Promise.all(those.map((one) => one.stop()));
    }
  }

  private async bringUp(wiring: LocalWiring): Promise<PlatformDescription> {
    const all = Object.values(wiring.instances).flat();
    const hasDatabase = ({ service }: Instance): boolean => service in wiring.databaseUrls;
    const runAll = (instances: readonly Instance[]): Promise<unknown> =>
      Promise.all(instances.map((instance) => this.run(this.servicePlan(instance, wiring))));
    await Promise.all([
      // These load while PostgreSQL is made ready, which takes one core.
      runAll(all.filter((instance) => !hasDatabase(instance))),
      this.bringUpDatabases(wiring).then(() => runAll(all.filter(hasDatabase))),
      this.startProvider(wiring),
    ]);
    const gatewayUrl = appUrl(firstOf(wiring.instances.gateway));
    const backofficeUrl = appUrl(firstOf(wiring.instances.backoffice));
    const operatorToken = isProduction()
      ? await this.temporaryToken(wiring, 'seed')
      : wiring.secrets.operatorToken;
    // The prepared cluster has the catalog already.
    const importCatalog = async (): Promise<void> => {
      if (!this.isCopy)
        await importExampleCatalog(this.bundle, wiring.databaseUrls['scent-commerce'].runtime);
    };
    const stateFile = this.data.seedFile;
    const partners = await seed({
      backofficeUrl,
      operatorToken,
      approverToken: () => this.temporaryToken(wiring, 'seed-approver'),
      stateFile,
      importCatalog,
    });
    await untilReady(all, () => this.isStopping);
    const started = { gatewayUrl, backofficeUrl, operatorToken, partners, pids: this.pids };
    return describePlatform(wiring, { ...started, hasProvider: this.provider !== undefined });
  }

  private async bringUpDatabases({ postgresPort, ...wiring }: LocalWiring): Promise<void> {
    const { databaseServer, databaseUrls: urls, pooler, secrets } = wiring;
    if (postgresPort !== undefined) await this.runPostgres(postgresPort, secrets);
    if (this.isCopy) await changePasswords(databaseServer, secrets);
    else await createDatabases(databaseServer, secrets);
    if (pooler) await this.run(await poolerPlan(this.bundle, this.data, pooler, urls));
  }

  private async runPostgres(port: number, { postgresPassword: password }: Secrets): Promise<void> {
    const copyOf = findPreparedCluster(this.bundle);
    const spare = copyOf && spareCopyOf(copyOf);
    const cluster = { directory: this.data.postgres, user: POSTGRES_USER, password };
    const isNew = initialiseCluster({ ...cluster, copyOf, spare });
    this.isCopy = isNew && copyOf !== undefined;
    if (this.isCopy) this.spareCopy = new SpareCopyMaker(this.bundle);
    await this.run(postgresPlan(this.bundle, this.data, port));
  }

  private async startProvider({ providerPort: port, secrets, instances }: LocalWiring): Promise<void> {
    if (port === undefined || this.isStopping) return;
    const origins = [process.env['BACKOFFICE_URL'], ...instances.backoffice.map(appUrl)];
    this.provider = await startProviderServer({
      port,
      operators: localOperators(secrets.operatorPasswordKey),
      clientId: process.env['OIDC_CLIENT_ID'] || OIDC_CLIENT_ID,
      clientSecret: process.env['OIDC_CLIENT_SECRET'] || secrets.oidcClientSecret,
      redirectUris: origins.flatMap((origin) => (origin ? [new URL('/auth/callback', origin).href] : [])),
    });
  }

  private temporaryToken(wiring: Wiring, name: 'seed' | 'seed-approver'): Promise<string> {
    const environment = serviceEnvironment(firstOf(wiring.instances.identity), wiring);
    return makeTemporaryToken(folderOf(this.bundle, 'identity'), environment, name);
  }

  private servicePlan(instance: Instance, wiring: Wiring): ProcessPlan {
    const { name, service } = instance;
    return {
      name,
      script: path.join(folderOf(this.bundle, service), 'main.js'),
      env: () => serviceEnvironment(instance, wiring),
      logFile: path.join(this.data.logs, `${name}.log`),
      stopMs: stopLimitMs(serviceEnvironment(instance, wiring)),
    };
  }

  private async run(plan: ProcessPlan): Promise<void> {
    if (this.isStopping) return;
    rotateLog(plan.logFile);
    const process = new ManagedProcess(plan, {
      onSpawn: (name, pid) => this.noteSpawn(name as ProcessName, pid),
      onDeath: (name, how, lastLines) => this.noteDeath(name, how, lastLines),
    });
    this.processes.set(plan.name, process);
    await process.start();
  }

  private noteSpawn(name: ProcessName, pid: number): void {
    this.pids.set(name, pid);
    this.file.replacePid(name, pid);
  }

  private noteDeath(name: string, how: string, lastLines: string[]): void {
    const log = path.join(this.data.logs, `${name}.log`);
    if (this.isReady) {
      warn(`${name} ended (${how}) and is started again; see ${log}`);
      return;
    }
    if ((this.processes.get(name)?.deathCount ?? 0) < MAX_DEATHS_AT_START) return;
    this.refuseStart(
      new StartRefused([`${name} does not start (${how}):`, ...lastLines, `see ${log}`].join('\n')),
    );
  }

  private tooLong(): StartRefused {
    return new StartRefused(`not ready after ${START_LIMIT_MS / 1000} s; see ${this.data.logs}`);
  }

  private keepLogsSmall(): void {
    const rotate = (): void => {
      for (const { plan } of this.processes.values()) rotateLog(plan.logFile);
    };
    this.rotation = setInterval(rotate, ROTATE_EVERY_MS);
  }
}
