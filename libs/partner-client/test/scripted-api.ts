import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it came in. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What one request gets: a response, or nothing at all. */
export type Scripted = (response: ServerResponse, seen: Seen) => void;

/** A response with this state. */
export const responds =
  (status: number, state: string, content: object, headers: Record<string, string> = {}): Scripted =>
  (response) => {
    const body = status < 300 ? { state, payload: content } : { state, payload: null, details: content };
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

/** A refusal as the API writes it. */
export const refuses = (
  status: number,
  state: string,
  more: object = {},
  headers: Record<string, string> = {},
): Scripted => responds(status, state, { message: 'No.', requestId: 'theirs', ...more }, headers);

/** A token, good for so many seconds. */
export const issuesToken = (accessToken: string, expiresIn: number): Scripted =>
  responds(200, 'SUCCESS', { accessToken, tokenType: 'Bearer', expiresIn });

/** The connection ends without a response. */
export const hangsUp: Scripted = (response) => response.destroy();

/** No response, ever. */
export const staysSilent: Scripted = () => undefined;

/**
 * The network between a client and the API, at its worst: each call but createToken gets the next of the script, and createToken the next
 * of `issues`, or a token of five minutes.
 */
export async function scriptedApi(...script: Scripted[]) {
  const calls: Seen[] = [];
  const tokens: Seen[] = [];
  const issues: Scripted[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      if (seen.url.endsWith('/auth/token')) {
        tokens.push(seen);
        (issues.shift() ?? issuesToken(`token-${tokens.length}`, 300))(response, seen);
      } else {
        calls.push(seen);
        (script.shift() ?? refuses(500, 'INTERNAL_ERROR', { message: 'The script is over.' }))(
          response,
          seen,
        );
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    tokens,
    issues,
    close,
  };
}
