import type { AttemptResult } from '../../delivery/domain/attempt';
import { judgeCertificate, type Certificate } from './certificate';
import type { Check } from './diagnosis';

/** Whether a connection could be made, and the certificate that came with it. */
export type Reach =
  | { readonly outcome: 'reached'; readonly durationMs: number; readonly certificate: Certificate | null }
  | { readonly outcome: 'rejected' | 'unresolvable' | 'failed' | 'timeout'; readonly durationMs: number };

/** What each request to a receiver came to. */
export interface Probes {
  readonly signed: AttemptResult;
  readonly forged: AttemptResult;
  readonly stale: AttemptResult;
  /** The event of `signed` once more. */
  readonly repeated: AttemptResult;
  readonly unknownType: AttemptResult;
}

/** How long the slowest accepted one may take (spec §17.3). */
const FAST_MS = 2_000;
const SLOW_MS = 10_000;

const UNREACHABLE: Readonly<Record<Exclude<Reach['outcome'], 'reached'>, string>> = {
  rejected:
    'The url leads to an address that we do not connect to: webhooks go to public addresses only. Check what its name resolves to.',
  unresolvable: 'No address was found for the name of the url. Check its DNS records.',
  failed:
    'No connection could be made: it was refused or broken off, or TLS could not be agreed on. Check that your server listens there, and its firewall.',
  timeout: 'No connection came about in time. Check that your firewall lets us in.',
};

const AFTER_UNREACHABLE: readonly Check['name'][] = [
  'certificate',
  'signed-accepted',
  'forged-rejected',
  'stale-rejected',
  'repeat-accepted',
  'unknown-type-accepted',
  'fast',
];

/** Every check of a receiver that could not be reached. */
export const judgeUnreachable = ({
  outcome,
  durationMs,
}: Exclude<Reach, { outcome: 'reached' }>): Check[] => [
  { name: 'reachable', result: 'Fail', durationMs, message: UNREACHABLE[outcome] },
  ...AFTER_UNREACHABLE.map((name) => skipped(name, 'Not tried: your receiver could not be reached.')),
];

/** Every check of a receiver that was reached. */
export function judgeReceiver(
  { durationMs, certificate }: Extract<Reach, { outcome: 'reached' }>,
  { signed, forged, stale, repeated, unknownType }: Probes,
  now: Date,
): Check[] {
  return [
    { name: 'reachable', result: 'Pass', durationMs, message: 'We connected to your receiver.' },
    certificate
      ? { name: 'certificate', durationMs, ...judgeCertificate(certificate, now) }
      : skipped('certificate', 'The url is plain http, which has no certificate.'),
    accepted('signed-accepted', [signed], {
      sent: 'We sent an example event, signed with your secret',
      advice:
        'Verify the signature over the raw bytes of the body with the secret that you were last shown, and answer 2xx.',
    }),
    rejected('forged-rejected', forged, {
      sent: 'We sent an event signed with a secret that is not yours',
      advice:
        'Whoever knows the url can make you believe in events: verify X-Service-Signature, and answer 400 when it is wrong.',
    }),
    rejected('stale-rejected', stale, {
      sent: 'We sent an event signed with your secret ten minutes ago',
      advice:
        'Whoever once saw a request can send it again: refuse an X-Service-Timestamp more than 300 seconds away from now.',
    }),
    accepted('repeat-accepted', [signed, repeated], {
      sent: 'We sent the same eventId twice',
      advice: 'Deliveries come at least once: answer 2xx to one that you have already, and do nothing more.',
    }),
    accepted('unknown-type-accepted', [unknownType], {
      sent: 'We sent an event of a type that does not exist yet',
      advice:
        'Answer 2xx to types that you do not know and pass over them, so that new ones do not come as failures.',
    }),
    judgeSpeed([signed, forged, stale, repeated, unknownType]),
  ];
}

interface Wording {
  readonly sent: string;
  readonly advice: string;
}

const isAccepted = ({ errorSummary }: AttemptResult): boolean => errorSummary === null;

function accepted(name: Check['name'], results: readonly AttemptResult[], { sent, advice }: Wording): Check {
  const durationMs = results.reduce((sum, result) => sum + result.durationMs, 0);
  const isPass = results.every(isAccepted);
  const message = isPass ? `${sent}: ${cameOf(results)}.` : `${sent}: ${cameOf(results)}. ${advice}`;
  return { name, result: isPass ? 'Pass' : 'Fail', durationMs, message };
}

function rejected(name: Check['name'], result: AttemptResult, { sent, advice }: Wording): Check {
  const { durationMs } = result;
  const came = `${sent}: ${cameOf([result])}`;
  if (!isAccepted(result))
    return { name, result: 'Pass', durationMs, message: `${came}, so it is not accepted.` };
  return { name, result: 'Fail', durationMs, message: `${came}. ${advice}` };
}

function judgeSpeed(results: readonly AttemptResult[]): Check {
  const slowest = Math.max(...results.filter(isAccepted).map(({ durationMs }) => durationMs));
  if (slowest === -Infinity) return skipped('fast', 'None of our requests was accepted.');
  const took = `Your slowest 2xx took ${slowest} ms`;
  const more =
    'Put events into a queue of yours and answer at once; after 10 seconds a delivery counts as failed.';
  if (slowest < FAST_MS) return { name: 'fast', result: 'Pass', durationMs: slowest, message: `${took}.` };
  const result = slowest < SLOW_MS ? 'Warn' : 'Fail';
  return { name: 'fast', result, durationMs: slowest, message: `${took}. ${more}` };
}

const skipped = (name: Check['name'], message: string): Check => ({
  name,
  result: 'Skipped',
  durationMs: 0,
  message,
});

/** What came, in words. */
const cameOf = (results: readonly AttemptResult[]): string => results.map(wordsOf).join(', then ');

function wordsOf({ responseStatus, errorSummary }: AttemptResult): string {
  if (responseStatus !== null) return `your receiver answered ${responseStatus}`;
  if (errorSummary === 'Timeout') return 'no answer came within 10 seconds';
  return errorSummary === 'Destination rejected'
    ? 'the url led to an address that we do not connect to'
    : 'the connection could not be made, or broke off';
}
