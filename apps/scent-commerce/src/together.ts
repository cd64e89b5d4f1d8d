/** Two statements of a kind under way: what comes meanwhile goes out together next (docs/adr/0012). */
export const TOGETHER = {
  concurrency: 2,
  maxBatch: 32,
};
