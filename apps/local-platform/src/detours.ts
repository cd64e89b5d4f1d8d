import { StartRefused } from './settings';

/** Ports of a drill that stands between the processes: where some listen, and where others reach them instead. */
export interface Detours {
  /** Fixed ports, by `postgres` or a service's name; the rest takes any free ones. */
  readonly listen: Readonly<Record<string, number>>;
  /** Where others reach a service, and its owner a database, by `finance` or `database:finance`. */
  readonly via: Readonly<Record<string, number>>;
}

/** Reads PLATFORM_DETOURS; without it everything is reached where it listens. */
export function readDetours(): Detours {
  const text = process.env['PLATFORM_DETOURS']?.trim();
  if (!text) return { listen: {}, via: {} };
  try {
    const { listen, via } = JSON.parse(text) as Partial<Detours>;
    if (isPorts(listen) && isPorts(via)) return { listen, via };
  } catch {
    // The sentence below says what is expected.
  }
  throw new StartRefused(
    'PLATFORM_DETOURS is not valid: expected { "listen": { name: port }, "via": { name: port } } as JSON',
  );
}

function isPorts(ports: unknown): ports is Record<string, number> {
  return (
    typeof ports === 'object' &&
    ports !== null &&
    Object.values(ports).every((port) => Number.isInteger(port) && Number(port) > 0 && Number(port) <= 65_535)
  );
}

/** Where the owner of a database reaches it. */
export function detourDatabase(url: string, owner: string, { via }: Detours): string {
  const port = via[`database:${owner}`];
  if (port === undefined) return url;
  const detoured = new URL(url);
  detoured.port = String(port);
  return detoured.href;
}
