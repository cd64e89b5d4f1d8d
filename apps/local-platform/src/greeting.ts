import { say } from './console';
import type { DataDirectory } from './data-directory';
import type { PlatformDescription } from './platform-file';

/** Says where to look next, and a first call that can be pasted as it is. */
export function greet(platform: PlatformDescription, data: DataDirectory, startMs: number): void {
  const { clientId, clientSecret } = platform.partners[0]?.credentials.sandbox ?? {};
  say(`
The platform is ready after ${(startMs / 1000).toFixed(1)} s. Ctrl-C stops it; the data is kept in ${data.root}

  API             ${platform.gatewayUrl}/api/v1
  API reference   ${platform.gatewayUrl}/docs
  Backoffice      ${platform.backofficeUrl}
  Credentials     ${data.platformFile}
  Logs            ${data.logs}

A first call, as the partner Acme in its sandbox:

  curl -s ${platform.gatewayUrl}/api/v1/auth/token -H 'Content-Type: application/json' \\
    -d '{"clientId":"${clientId}","clientSecret":"${clientSecret}"}'
`);
}
