import { randomUUID } from 'node:crypto';
import type { Operation } from '../abuse/operations';
import { nameOf } from '../abuse/operations';
import { lineOf, type Line } from '../abuse/verdict';
import { OperatorClient } from '../clients/operator-client';
import type { PlatformDescription } from '../platform/platform-file';

const ROLES = ['viewer', 'support', 'finance', 'catalog', 'partners', 'admin'];

/** What a response says, whatever its body is. */
export interface Outcome {
  readonly status: number;
  readonly state: string;
  readonly neededRole: string | undefined;
}

/** Sends a request that is sound but for whom it is from; ids in its path are nobody's. */
async function sendOperation(
  base: string,
  { method, path, example }: Operation,
  headers: Record<string, string>,
): Promise<Outcome> {
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => STRANGERS[name] ?? randomUUID());
  const body = method === 'GET' ? undefined : JSON.stringify(example ?? {});
  const response = await fetch(`${base}${target}`, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const { state = '', details } = (/^\{"state"/.test(text) ? JSON.parse(text) : {}) as {
    state?: string;
    details?: { role?: string };
  };
  return { status: response.status, state, neededRole: details?.role };
}

const STRANGERS: Readonly<Record<string, string>> = {
  currency: 'CHF',
  service: 'notifier',
  clientId: 'pk_live_nobody',
  orderGlobalId: 'TOP-1000000000000000001',
};

const isRefused = ({ state }: Outcome): boolean =>
  ['UNAUTHORIZED_INVALID_TOKEN', 'FORBIDDEN_OPERATOR_ROLE', 'RATE_LIMITED'].includes(state);

/** Every call of the backoffice with a token of every role: those that may get further than the role, the others do not (spec §18.2). */
export async function roleLines(
  platform: PlatformDescription,
  operations: readonly Operation[],
): Promise<Line[]> {
  const admin = new OperatorClient(platform);
  const faults: string[] = [];
  const counts = { let: 0, refused: 0 };
  for (const role of ROLES) {
    const { token } = await admin.post<{ token: string }>('/operator-tokens', { name: role, roles: [role] });
    for (const operation of operations) {
      const outcome = await sendOperation(platform.backofficeUrl, operation, bearer(token));
      const needed = [operation.role, ...operation.otherRoles];
      const mayCall = needed.includes('viewer') || needed.includes(role) || role === 'admin';
      counts[mayCall ? 'let' : 'refused'] += 1;
      const isRight = mayCall
        ? // On a busy machine a call that was let in may end late.
          !isRefused(outcome) && outcome.status !== 500
        : outcome.state === 'FORBIDDEN_OPERATOR_ROLE' && outcome.neededRole === operation.role;
      if (!isRight)
        faults.push(
          `${nameOf(operation)} as ${role}: ${outcome.status} ${outcome.state} (needs ${operation.role})`,
        );
    }
  }
  const withoutRole = operations.filter(({ role }) => !role || !ROLES.includes(role)).map(nameOf);
  return [
    lineOf(
      'roles × calls',
      `${counts.let} let in, ${counts.refused} refused`,
      'by the role of each call',
      faults,
    ),
    lineOf('calls without a role', String(withoutRole.length), 'none', withoutRole),
  ];
}

/** Every call of an edge with each of some tokens that are none of its own: no one gets past the token. */
export async function strangerLine(
  name: string,
  base: string,
  operations: readonly Operation[],
  headersOf: Readonly<Record<string, Record<string, string>>>,
): Promise<Line> {
  const faults: string[] = [];
  let sent = 0;
  for (const [who, headers] of Object.entries(headersOf)) {
    for (const operation of operations.filter(({ isAnonymous }) => !isAnonymous)) {
      const { status, state } = await sendOperation(base, operation, headers);
      sent += 1;
      // Past twenty bad tokens in a minute the address waits (spec §18.2).
      if (!(status === 401 && state === 'UNAUTHORIZED_INVALID_TOKEN') && state !== 'RATE_LIMITED')
        faults.push(`${nameOf(operation)} ${who}: ${status} ${state}`);
    }
  }
  return lineOf(name, `${sent} calls`, 'all refused', faults);
}

/** The header of a bearer token. */
export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
