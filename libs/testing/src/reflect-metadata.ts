// What @peculiar/x509's dependency injection needs of the package reflect-metadata, which it leaves to its user to install.
const stored = new WeakMap<object, Map<string, unknown>>();
const nameOf = (key: unknown, property?: PropertyKey): string => `${String(key)}:${String(property ?? '')}`;

function ownOf(target: object): Map<string, unknown> {
  const own = stored.get(target) ?? new Map<string, unknown>();
  stored.set(target, own);
  return own;
}

function find(key: unknown, target: object | null, property?: PropertyKey): unknown {
  for (let at = target; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const own = stored.get(at);
    if (own?.has(nameOf(key, property))) return own.get(nameOf(key, property));
  }
  return undefined;
}

if (!('getMetadata' in Reflect)) {
  Object.assign(Reflect, {
    defineMetadata: (key: unknown, value: unknown, target: object, property?: PropertyKey): void =>
      void ownOf(target).set(nameOf(key, property), value),
    getMetadata: find,
    getOwnMetadata: (key: unknown, target: object, property?: PropertyKey): unknown =>
      stored.get(target)?.get(nameOf(key, property)),
    hasOwnMetadata: (key: unknown, target: object, property?: PropertyKey): boolean =>
      stored.get(target)?.has(nameOf(key, property)) ?? false,
  });
}
