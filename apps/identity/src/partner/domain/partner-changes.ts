import type { PartnerSettings } from './partner-settings';

/** What a change did to one field, as the audit entry shows it. */
export interface FieldChange {
  from: string | boolean | null;
  to: string | boolean | null;
}

/** The fields whose wanted value differs from the present one; empty when the request changes nothing. */
export function diffSettings(
  present: PartnerSettings,
  wanted: Partial<PartnerSettings>,
): Partial<Record<keyof PartnerSettings, FieldChange>> {
  const changes: Partial<Record<keyof PartnerSettings, FieldChange>> = {};
  for (const [key, to] of Object.entries(wanted) as [
    keyof PartnerSettings,
    string | boolean | null | undefined,
  ][]) {
    if (to !== undefined && to !== present[key]) changes[key] = { from: present[key], to };
  }
  return changes;
}
