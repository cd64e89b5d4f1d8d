import { decodeComponent } from './request-target';

/** What the matcher needs of a route. */
export interface Matchable {
  readonly method: string;
  readonly path: string;
}

/** A path's parameters by name; undefined for one that is not well-formed percent-encoded UTF-8. */
export type RawParams = Record<string, string | undefined>;

/** The outcome of a look-up: a route with its raw parameters, or the methods that the path does have. */
export type Match<T> =
  | { kind: 'route'; route: T; params: RawParams }
  | { kind: 'method'; allow: string }
  | { kind: 'none' };

interface Node<T> {
  readonly children: Map<string, Node<T>>;
  parameter?: { name: string; node: Node<T> };
  readonly methods: Map<string, T>;
}

const newNode = <T>(): Node<T> => ({ children: new Map(), methods: new Map() });

/**
 * Finds routes by their segments, literal ones before parameters. HEAD goes where GET does. A parameter that
 * cannot be decoded still matches, so that it is returned as a fault of that parameter.
 */
export class RouteMatcher<T extends Matchable> {
  private readonly root = newNode<T>();
  private readonly fixed = new Map<string, T>();

  constructor(routes: readonly T[]) {
    for (const route of routes) this.add(route);
  }

  private add(route: T): void {
    let node = this.root;
    const segments = route.path.split('/').slice(1);
    for (const segment of segments) node = this.descend(node, segment, route.path);
    if (node.methods.has(route.method))
      throw new Error(`${route.method} ${route.path} is in the table twice`);
    node.methods.set(route.method, route);
    if (!route.path.includes('{')) this.fixed.set(`${route.method} ${route.path}`, route);
  }

  private descend(node: Node<T>, segment: string, path: string): Node<T> {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) {
      const child = node.children.get(segment) ?? newNode<T>();
      node.children.set(segment, child);
      return child;
    }
    node.parameter ??= { name, node: newNode<T>() };
    if (node.parameter.name !== name) {
      throw new Error(`${path}: {${name}} is called {${node.parameter.name}} by another route`);
    }
    return node.parameter.node;
  }

  /** Looks a request up; never throws, whatever the path holds. */
  find(method: string, path: string): Match<T> {
    const name = method === 'HEAD' ? 'GET' : method;
    const fixed = this.fixed.get(`${name} ${path}`);
    if (fixed) return { kind: 'route', route: fixed, params: {} };
    if (!path.startsWith('/')) return { kind: 'none' };
    const params: RawParams = {};
    const node = this.walk(this.root, path.slice(1).split('/'), 0, params);
    if (!node) return { kind: 'none' };
    const route = node.methods.get(name);
    return route ? { kind: 'route', route, params } : { kind: 'method', allow: allowOf(node.methods.keys()) };
  }

  private walk(node: Node<T>, segments: string[], depth: number, params: RawParams): Node<T> | undefined {
    const segment = segments[depth];
    if (segment === undefined) return node.methods.size > 0 ? node : undefined;
    const decoded = decodeComponent(segment);
    const literal = decoded === undefined ? undefined : node.children.get(decoded);
    const found = literal && this.walk(literal, segments, depth + 1, params);
    if (found || !node.parameter || segment === '') return found;
    params[node.parameter.name] = decoded;
    return this.walk(node.parameter.node, segments, depth + 1, params);
  }
}

/** The Allow header for a set of methods; HEAD comes with GET. */
function allowOf(methods: Iterable<string>): string {
  const all = [...methods];
  return (all.includes('GET') ? [...all, 'HEAD'] : all).sort().join(', ');
}
