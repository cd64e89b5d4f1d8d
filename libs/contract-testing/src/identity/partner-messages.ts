import type { Message } from '../contract';

/** Where identity announces its partners. */
export const PARTNER_TOPIC = 'reseller.identity.partner.v1';

/** A partner as identity tells it. */
export function identityPartner(id: string, more: Message = {}): Message {
  return {
    id,
    global_id: `PRT-${id.slice(-12)}`,
    name: 'Acme',
    path: [id],
    is_active: true,
    is_vat_registered: true,
    marketing_enabled: false,
    version: 1,
    created_at: new Date(),
    ...more,
  };
}
