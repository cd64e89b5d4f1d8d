import path from 'node:path';

/** What a person may set for the local platform as a whole (decisions §13.2). */
export interface PlatformSettings {
  dataDirectory: string;
  gatewayPort: number;
  backofficePort: number;
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

/** Reads the environment; throws StartRefused naming the variable that cannot be used. */
export function readSettings(): PlatformSettings {
  const gatewayPort = readPort('GATEWAY_PORT', 8080);
  const backofficePort = readPort('BACKOFFICE_PORT', 8090);
  if (gatewayPort !== 0 && gatewayPort === backofficePort) {
    throw new StartRefused(
      `GATEWAY_PORT and BACKOFFICE_PORT are both ${gatewayPort}; set one of them to another port`,
    );
  }
  return {
    dataDirectory: path.resolve(process.env['PLATFORM_DATA_DIR']?.trim() || '.local'),
    gatewayPort,
    backofficePort,
  };
}
