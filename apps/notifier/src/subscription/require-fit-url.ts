import { AppError } from '@reseller/errors';
import { vetTarget, type TargetGuard } from '../address/vet-target';

/**
 * VALIDATION_WEBHOOK_URL_REJECTED unless a subscription may have the url (spec §10.2). A name that does not resolve
 * is taken, since it may tomorrow; but not for plain http, which only a target that is known to be allowed may have.
 */
export async function requireFitUrl(url: string, guard: TargetGuard): Promise<void> {
  const { outcome } = await vetTarget(url, guard);
  const isFit = outcome === 'vetted' || (outcome === 'unresolvable' && /^https:/i.test(url));
  if (!isFit) throw new AppError('VALIDATION_WEBHOOK_URL_REJECTED');
}
