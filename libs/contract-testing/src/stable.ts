/** Names of things that differ from run to run; numbered, so that what is equal is still seen to be. */
const NAMES = new Set([
  ...['transaction_id', 'global_id', 'partner_global_id', 'order_global_id', 'statement_number', 'sku'],
  ...['sequence', 'previous_hash', 'hash'],
  ...['saga_id', 'vendor_order_id', 'client_id', 'acting_client_id', 'client_secret', 'decided_by_user_id'],
]);

/** What else differs from run to run, or is in words for people. */
const OTHERS = new Set([
  ...['scent_name', 'brand_name', 'warehouse_code', 'size_ml', 'is_sample'],
  ...['duration_ms', 'current_retry_count', 'error_message', 'status_description'],
  ...['esim_plan_details', 'esim_iccid', 'esim_qr_code', 'esim_activation_code'],
]);

/** UUIDs, and the discount codes and addresses that cases make. */
const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|SAVE-[0-9A-F]{12}|127\.0\.0\.1:\d+/g;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const TWO_DAYS_MS = 172_800_000;

/** The same in every run: names and ids are numbered, and a time of the run is just a time. */
export function stable(seen: unknown): unknown {
  const numbers = new Map<string, string>();
  const numbered = (kind: string, value: unknown): string => {
    const known = numbers.get(`${kind} ${String(value)}`);
    if (known !== undefined) return known;
    const count = [...numbers.keys()].filter((one) => one.startsWith(`${kind} `)).length;
    numbers.set(`${kind} ${String(value)}`, `<${kind} ${count + 1}>`);
    return `<${kind} ${count + 1}>`;
  };
  const plain = (field: string, value: unknown): unknown => {
    // Whether there is a sample hangs on which variant of the catalog a case got.
    if (field === 'badges') return (value as string[]).filter((one) => one !== 'BADGE_SAMPLE_AVAILABLE');
    if (value === null || typeof value === 'object') return value;
    if (NAMES.has(field)) return numbered(field, value);
    if (OTHERS.has(field)) return `<${field}>`;
    if (typeof value !== 'string') return value;
    if (TIME.test(value)) return Math.abs(Date.parse(value) - Date.now()) < TWO_DAYS_MS ? '<time>' : value;
    return value.replaceAll(ID, (id) => numbered('id', id));
  };
  return JSON.parse(JSON.stringify(seen, plain)) as unknown;
}
