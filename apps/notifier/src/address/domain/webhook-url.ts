import { parseAddress } from './public-address';

/** The longest url a subscription may have, in characters. */
const MAX_URL_LENGTH = 2_048;
const MAX_LABEL_LENGTH = 63;

const DEFAULT_PORTS: Record<string, number> = { 'https:': 443, 'http:': 80 };

/** A url that is spelt in a way we take, and what there is to connect to. */
export interface WebhookUrl {
  url: URL;
  /** Of the url, for keys. */
  origin: string;
  /** What is requested: path and query. */
  path: string;
  isHttps: boolean;
  /** Lower case, in ASCII, without brackets and without the root's dot. */
  host: string;
  port: number;
  /** The host is an IP address and needs no look-up. */
  isAddress: boolean;
}

/**
 * Reads a url by the rules of spelling of spec §10.2; undefined for one that is refused whatever it resolves to.
 * The text is judged before it is parsed, since a parser mends much of what must be refused.
 */
export function parseWebhookUrl(text: string): WebhookUrl | undefined {
  if (text.length > MAX_URL_LENGTH * 2 || [...text].length > MAX_URL_LENGTH) return undefined;
  // \p{Cs}: half a character, which no url can hold.
  if (/[\\\s\p{Cc}\p{Cs}]/u.test(text)) return undefined;
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (!authority || authority.includes('@') || !hasGoodLabels(withoutPort(authority))) return undefined;
  return URL.canParse(text) ? fromParsed(new URL(text)) : undefined;
}

function fromParsed(url: URL): WebhookUrl | undefined {
  const defaultPort = DEFAULT_PORTS[url.protocol];
  // Names in other scripts have grown, and characters that mean nothing have gone.
  if (defaultPort === undefined || !hasGoodLabels(url.hostname)) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return {
    url,
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    isHttps: url.protocol === 'https:',
    host,
    port: url.port === '' ? defaultPort : Number(url.port),
    isAddress: parseAddress(host) !== undefined,
  };
}

function withoutPort(authority: string): string {
  return authority.startsWith('[') ? authority : authority.replace(/:[^:]*$/, '');
}

/** Whether a host has no empty label, one dot at the end being the root, and none that is too long. */
function hasGoodLabels(host: string): boolean {
  if (host.startsWith('[')) return true;
  // The parser takes these three for dots as well.
  const labels = host.replace(/[.。．｡]$/, '').split(/[.。．｡]/);
  return labels.every((label) => label.length > 0 && [...label].length <= MAX_LABEL_LENGTH);
}

/** localhost and what is under it: loopback by name, whatever a resolver says. */
export function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}
