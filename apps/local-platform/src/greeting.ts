import { say } from './console';
import type { DataDirectory } from './data-directory';
import type { PlatformDescription } from './platform-file';

/**
 * Says where to look next, and a first call that can be pasted as it is. What a console shows is kept by terminals and
 * by CI, so the secret is read from platform.json when the call is made and is not shown.
 */
export function greet(platform: PlatformDescription, data: DataDirectory, startMs: number): void {
  const read = `JSON.stringify(JSON.parse(fs.readFileSync('${data.platformFile}')).partners[0].credentials.sandbox)`;
  say(`
The platform is ready after ${(startMs / 1000).toFixed(1)} s. Ctrl-C stops it; the data is kept in ${data.root}

  API             ${platform.gatewayUrl}/api/v1
  Documentation   ${platform.gatewayUrl}/docs
  API reference   ${platform.gatewayUrl}/docs/reference
  Backoffice      ${platform.backofficeUrl}
  Credentials     ${data.platformFile}
  Logs            ${data.logs}

A first call, as the partner Acme in its sandbox:

  curl -s ${platform.gatewayUrl}/api/v1/auth/token -H 'Content-Type: application/json' \\
    -d "$(node -p "${read}")"
`);
}
