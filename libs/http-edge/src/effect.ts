import type { Effect, Route } from './route';
import type { ValidInput } from './validate';

/** What a call does: as its route declares it, else by its method. */
export function effectOf(route: Pick<Route<unknown>, 'method' | 'effect'>, input: ValidInput): Effect {
  return route.effect?.(input) ?? (route.method === 'GET' ? 'read' : 'change');
}
