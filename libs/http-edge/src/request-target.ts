/** A request's path and raw query. */
interface RequestTarget {
  path: string;
  search: string;
}

const ABSOLUTE = /^https?:\/\/[^/?#]*/i;

/** Splits the target of the request line, which may be absolute (RFC 9112); a path never throws, it just matches nothing. */
export function splitTarget(url: string): RequestTarget {
  const target = url.startsWith('/') ? url : url.replace(ABSOLUTE, '');
  const fragment = target.indexOf('#');
  const whole = fragment === -1 ? target : target.slice(0, fragment);
  const question = whole.indexOf('?');
  return question === -1
    ? { path: whole, search: '' }
    : { path: whole.slice(0, question), search: whole.slice(question + 1) };
}

/** Percent-decodes one component; undefined when it is not well-formed UTF-8. */
export function decodeComponent(component: string): string | undefined {
  if (!component.includes('%')) return component;
  try {
    return decodeURIComponent(component);
  } catch {
    return undefined;
  }
}
