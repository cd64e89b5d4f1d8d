import { createServer, type RequestListener, type Server } from 'node:http';
import { warn } from '../console';
import type { LocalProviderSettings } from './identity-provider';

/** Listens for the identity provider, which is loaded by its first request: a start has better things to do. */
export async function startProviderServer(settings: LocalProviderSettings): Promise<Server> {
  let provider: Promise<RequestListener> | undefined;
  const load = async (): Promise<RequestListener> => {
    const { createIdentityProvider } = await import('./identity-provider');
    return createIdentityProvider(settings);
  };
  const server = createServer((request, response) => {
    provider ??= load();
    provider.then(
      (serve) => serve(request, response),
      (error: unknown) => {
        provider = undefined;
        warn(`the identity provider could not be loaded: ${String(error)}`);
        response.writeHead(500, { 'content-type': 'text/plain' }).end('No sign-in now; see the console.\n');
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(settings.port, '127.0.0.1', resolve);
  });
  return server;
}
