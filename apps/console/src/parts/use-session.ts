import { useSuspenseQuery } from '@tanstack/react-query';
import { mayDo, sessionQuery, type Role, type Session } from '../api/session';

/** Who is signed in; only below the shell, which shows nothing to anybody else. */
export function useOperator(): Session['operator'] {
  const { data } = useSuspenseQuery(sessionQuery);
  return data?.operator ?? { name: '', roles: [] };
}

/** Whether the operator may do what needs this role. */
export const useMayDo = (role: Role): boolean => mayDo(useOperator().roles, role);
