/** Where products can be sold; amounts are decimal strings in `currency`. */
export interface GeoScope {
  readonly globalId: string;
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly currency: string;
  /** Inclusive; null where no top-up is sold. */
  readonly topup: { readonly minAmount: string; readonly maxAmount: string } | null;
  readonly sellsEsim: boolean;
}
