import { AppError } from '@reseller/errors';
import { checkTarget, type TargetPolicy } from '../address/check-target';

/**
 * VALIDATION_WEBHOOK_URL_REJECTED unless a subscription may have the url (spec §10.2). A name that does not resolve
 * is taken, since it may tomorrow; but not for plain http, which only a target that is known to be allowed may have.
 */
export async function requireAllowedUrl(url: string, targets: TargetPolicy): Promise<void> {
  const { outcome } = await checkTarget(url, targets);
  const isFit = outcome === 'allowed' || (outcome === 'unresolvable' && /^https:/i.test(url));
  if (!isFit) throw new AppError('VALIDATION_WEBHOOK_URL_REJECTED');
}
