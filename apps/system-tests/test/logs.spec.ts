import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  findLeaks,
  findShapeless,
  isOfService,
  readLogLines,
  type LogEntry,
} from '../src/telemetry/log-files';
import { readUsedSecrets } from '../src/telemetry/used-secrets';

const platformFile = process.env.PLATFORM_JSON ?? '';

// The last spec to run (setup/logs-last.cjs): all others have used the platform by then.
describe('the logs of the whole run', () => {
  const lines = readLogLines(path.join(path.dirname(platformFile), 'logs'));

  test('when every secret that the run used is looked for, then none is in any log, nor where a person is reached', () => {
    const secrets = readUsedSecrets(platformFile);
    expect(secrets.length).toBeGreaterThan(6);
    expect(lines.length).toBeGreaterThan(0);
    expect(findLeaks(lines, secrets).slice(0, 10)).toEqual([]);
  });

  test('when services write, then every line is JSON with level, time, service and message', () => {
    expect(findShapeless(lines).slice(0, 10)).toEqual([]);
  });

  test('when a request is logged, then its id is', () => {
    const entries = lines.filter(isOfService).map(({ text }) => JSON.parse(text) as LogEntry);
    const ofRequests = entries.filter(({ msg }) => msg === 'request' || msg === 'request failed');
    expect(ofRequests.filter(({ requestId }) => typeof requestId !== 'string').slice(0, 10)).toEqual([]);
  });
});
