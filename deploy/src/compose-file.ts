import { parse } from 'yaml';

/** What the tests look at in one service of the Compose file. */
export interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string; args: { APP: string } };
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  ports?: string[];
  networks?: string[];
  volumes?: string[];
  user?: string;
  network_mode?: string;
  read_only?: boolean;
  cap_drop?: string[];
  profiles?: string[];
  stop_grace_period?: string;
  healthcheck?: object;
  deploy?: { resources?: { limits?: { memory?: string } } };
  logging?: { driver: string; options?: Record<string, string> };
}

/** A Compose file as the engine sees it. */
export interface ComposeFile {
  name: string;
  services: Record<string, ComposeService>;
  networks: Record<string, object>;
  volumes: Record<string, object>;
}

const VARIABLE = /\$\{(\w+)(?::(-|\?)([^}]*))?\}/g;

/** Reads a Compose file with its anchors merged and its variables filled in; throws the message of a missing one. */
export function readCompose(text: string, env: Record<string, string>): ComposeFile {
  return parse(text, {
    merge: true,
    maxAliasCount: -1,
    reviver: (_key, value: unknown) => fill(value, env),
  }) as ComposeFile;
}

function fill(value: unknown, env: Record<string, string>): unknown {
  if (typeof value !== 'string') return value;
  return value.replace(VARIABLE, (_all, name: string, rule?: string, text = '') => {
    if (env[name]) return env[name];
    if (rule === '?') throw new Error(`${name}: ${text}`);
    return text;
  });
}

/** The variables that a Compose file cannot do without. */
export function requiredVariables(text: string): string[] {
  const found = [...text.matchAll(VARIABLE)].filter(([, , rule]) => rule === '?');
  return [...new Set(found.map(([, name = '']) => name))].sort();
}
