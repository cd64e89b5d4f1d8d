import { StatusBadge } from '../parts/status-badge';
import type { Schemas } from '../api/client';

/** Whether a partner may work; a freeze is said first. */
export const PartnerState = ({
  of: { isFrozen, isActive },
}: {
  readonly of: Pick<Schemas['Partner'], 'isFrozen' | 'isActive'>;
}) => <StatusBadge status={isFrozen ? 'Frozen' : isActive ? 'Active' : 'Inactive'} />;
