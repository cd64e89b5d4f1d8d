/** The clock of spec §4.6, all in milliseconds. */
export interface VendorTimes {
  /** The waits before calling again within the request, after a 5xx or a lost connection. */
  readonly retryDelaysMs: readonly number[];
  readonly pollBaseMs: number;
  readonly pollCapMs: number;
  /** How long an outcome may stay unknown before an operator decides. */
  readonly unknownAfterMs: number;
}

/** The settings that the clock is made of. */
interface VendorTimeSettings {
  readonly VENDOR_RETRY_BASE_MS: number;
  readonly VENDOR_POLL_BASE_MS: number;
  readonly VENDOR_POLL_CAP_MS: number;
  readonly VENDOR_UNKNOWN_AFTER_MS: number;
}

/** The clock by its settings. */
export function vendorTimesOf(settings: VendorTimeSettings): VendorTimes {
  const base = settings.VENDOR_RETRY_BASE_MS;
  return {
    retryDelaysMs: [base, 2 * base, 4 * base],
    pollBaseMs: settings.VENDOR_POLL_BASE_MS,
    pollCapMs: settings.VENDOR_POLL_CAP_MS,
    unknownAfterMs: settings.VENDOR_UNKNOWN_AFTER_MS,
  };
}
