import { Counter, Gauge, type Registry } from 'prom-client';

/** What the job shows. */
interface ArchiveMetrics {
  readonly rows: Counter;
  readonly behind: Gauge;
}

/** The metrics of archiving in a registry, made there once. */
export function archiveMetrics(registry: Registry): ArchiveMetrics {
  const labelNames = ['table'];
  const registers = [registry];
  const rows =
    (registry.getSingleMetric('archive_rows_total') as Counter | undefined) ??
    new Counter({
      name: 'archive_rows_total',
      help: 'Rows past their time that were archived, and removed where they were. Sum over instances.',
      labelNames,
      registers,
    });
  const behind =
    (registry.getSingleMetric('archive_behind') as Gauge | undefined) ??
    new Gauge({
      name: 'archive_behind',
      help: '1 while rows past their time wait to be archived, as this instance saw it last. Instances take turns: take min().',
      labelNames,
      registers,
    });
  return { rows, behind };
}
