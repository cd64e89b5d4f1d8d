/** The clock of spec §4.6, all in milliseconds. */
export interface VendorTimes {
  /** The waits before calling again within the request, after a 5xx or a lost connection. */
  readonly retryDelaysMs: readonly number[];
  readonly pollBaseMs: number;
  readonly pollCapMs: number;
  /** How long an outcome may stay unknown before an operator decides. */
  readonly unknownAfterMs: number;
}
