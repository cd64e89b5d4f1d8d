import path from 'node:path';

/** What a person may set for the local platform as a whole (spec §13.2). */
export interface PlatformSettings {
  dataDirectory: string;
  gatewayPort: number;
  backofficePort: number;
  /** How many of each service run; gateways and backoffices have the ports from theirs on. */
  instances: number;
  /** Whether RPC is under mutual TLS, by certificates made at the start. */
  tls: boolean;
}

/** A reason not to start that the person at the console can act on; printed as it is, without a stack. */
export class StartRefused extends Error {}

function readPort(name: string, fallback: number): number {
  const text = process.env[name]?.trim();
  if (!text) return fallback;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new StartRefused(`${name} is not valid: expected a port from 0 (any free one) to 65535`);
}

const MOST_INSTANCES = 9;

/** How many of each service are requested: PLATFORM_INSTANCES, one by default. */
export function readInstances(): number {
  const text = process.env['PLATFORM_INSTANCES']?.trim() || '1';
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= MOST_INSTANCES) return count;
  throw new StartRefused(
    `PLATFORM_INSTANCES is not valid: expected a whole number from 1 to ${MOST_INSTANCES}`,
  );
}

/** The ports of several instances, which must not run into each other or past the last one. */
function requireApart(gatewayPort: number, backofficePort: number, instances: number): void {
  const last = Math.max(gatewayPort, backofficePort) + instances - 1;
  if (last > 65_535) throw new StartRefused(`port ${last} would be needed and the last one is 65535`);
  if (gatewayPort === 0 || backofficePort === 0) return;
  if (gatewayPort === backofficePort) {
    throw new StartRefused(
      `GATEWAY_PORT and BACKOFFICE_PORT are both ${gatewayPort}; set one of them to another port`,
    );
  }
  if (Math.abs(gatewayPort - backofficePort) < instances) {
    throw new StartRefused(
      `${instances} instances need as many ports from GATEWAY_PORT and BACKOFFICE_PORT on, and these overlap; set one of them to another port`,
    );
  }
}

function readTls(): boolean {
  // In production services do not start without (libs/service-kit).
  const text = process.env['PLATFORM_TLS']?.trim() || String(process.env['NODE_ENV'] === 'production');
  if (text === 'true' || text === 'false') return text === 'true';
  throw new StartRefused('PLATFORM_TLS is not valid: expected true or false');
}

/** Reads the environment; throws StartRefused naming the variable that cannot be used. */
export function readSettings(): PlatformSettings {
  const gatewayPort = readPort('GATEWAY_PORT', 8080);
  const backofficePort = readPort('BACKOFFICE_PORT', 8090);
  const instances = readInstances();
  requireApart(gatewayPort, backofficePort, instances);
  return {
    dataDirectory: path.resolve(process.env['PLATFORM_DATA_DIR']?.trim() || '.local'),
    gatewayPort,
    backofficePort,
    instances,
    tls: readTls(),
  };
}
