import type { AuditRepository } from '../audit/audit.repository';
import type { Clock } from '../clock';
import type { Transact } from '../transaction';
import type { OperatorSecrets } from './operator-secrets';
import type { OperatorRepository } from './operator.repository';

/** What the use cases of operators need. */
export interface OperatorDeps {
  transact: Transact;
  operators: OperatorRepository;
  secrets: OperatorSecrets;
  audit: AuditRepository;
  clock: Clock;
  /** How long a session lasts, used or not. */
  sessionMs: number;
}
