/** What one operation costs; each process' CPU by its name, that of PostgreSQL by database. */
export interface UnitCost {
  readonly cpuMs: ReadonlyMap<string, number>;
  readonly walBytes: number;
  /** Of tables and indexes. */
  readonly diskBytes: number;
  /** Over all connections: callers, between services, to PostgreSQL, to receivers. */
  readonly networkBytes: number;
}

/** What so many operations a second take. */
export interface Needs {
  /** By process, with room for peaks. */
  readonly cores: ReadonlyMap<string, number>;
  readonly walMbPerSecond: number;
  readonly diskGbPerDay: number;
  readonly networkGbitPerSecond: number;
}

/** Cores are planned to be this busy, so that a peak and the loss of an instance fit. */
export const PLANNED_BUSY = 0.6;

const DAY_S = 86_400;

/** All that one costs without what another costs, nothing of it below zero. */
export const without = (cost: UnitCost, other: UnitCost): UnitCost => ({
  cpuMs: new Map([...cost.cpuMs].map(([name, ms]) => [name, Math.max(0, ms - (other.cpuMs.get(name) ?? 0))])),
  walBytes: Math.max(0, cost.walBytes - other.walBytes),
  diskBytes: Math.max(0, cost.diskBytes - other.diskBytes),
  networkBytes: Math.max(0, cost.networkBytes - other.networkBytes),
});

/** CPU milliseconds of all processes together. */
export const cpuOfAll = ({ cpuMs }: UnitCost): number => [...cpuMs.values()].reduce((sum, ms) => sum + ms, 0);

/** What a rate takes, in proportion: batches grow with the load, so that more is cheaper and this is the most. */
export const needsAt = (perSecond: number, cost: UnitCost): Needs => ({
  cores: new Map([...cost.cpuMs].map(([name, ms]) => [name, (ms * perSecond) / 1_000 / PLANNED_BUSY])),
  walMbPerSecond: (cost.walBytes * perSecond) / 1e6,
  diskGbPerDay: (cost.diskBytes * perSecond * DAY_S) / 1e9,
  networkGbitPerSecond: (cost.networkBytes * perSecond * 8) / 1e9,
});

/** How many a second so many cores hold with nothing to spare, whoever calls being on them as well. */
export const mostOn = (cores: number, idleMsPerSecond: number, cost: UnitCost, callerMs: number): number =>
  (cores * 1_000 - idleMsPerSecond) / (cpuOfAll(cost) + callerMs);
