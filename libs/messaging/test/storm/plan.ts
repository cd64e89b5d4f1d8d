/** What the processes of a storm agree on. */
export const TOPIC = 'reseller.test.storm.v1';
export const AGGREGATES = 24;
export const POISON = 'poison';
export const GROUPS = ['storm.first', 'storm.second'];
/** Short, so that leases run out while a process is stopped. */
export const LEASE_MS = 1_000;
