import { createSessionPool, type DatabaseAddress } from '@reseller/database';
import type { BaseConfig, Job, Logger } from '@reseller/service-kit';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import { createArchiveJob } from './archive-job';
import type { ArchiveSource } from './archived-table';
import { archiveAddress, type ArchiveSettings } from './config';
import { ObjectStore } from './object-store';

/** What a service gives of itself. */
interface ServeArchiveDeps {
  readonly service: string;
  readonly pool: Pool;
  /** Of the same database. */
  readonly address: DatabaseAddress;
  readonly sources: readonly ArchiveSource[];
  readonly log: Logger;
  readonly metrics?: Registry | undefined;
}

/** The archive of a service that runs. */
interface ServedArchive {
  /** None without ARCHIVE_URL. */
  readonly jobs: readonly Job[];
  close(): Promise<void>;
}

/** All of a service's archiving, where its settings name an archive. */
export function serveArchive(
  { address, ...deps }: ServeArchiveDeps,
  config: ArchiveSettings & Pick<BaseConfig, 'NODE_ENV' | 'PLAINTEXT_ALLOWED'>,
): ServedArchive {
  const archive = archiveAddress(config);
  if (!archive) return { jobs: [], close: () => Promise.resolve() };
  const { service, log, metrics } = deps;
  const sessions = createSessionPool({ ...address, max: 1, name: `${service}-archive`, log, metrics });
  const store = new ObjectStore(archive);
  return {
    jobs: [createArchiveJob(deps.sources, { ...deps, sessions, store })],
    close: async () => {
      await store.close();
      await sessions.end();
    },
  };
}
