import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Pool } from 'undici';

/** The argument that makes this bundle the innocent caller. */
export const INNOCENT_ROLE = 'abuse-innocent';

/** Whose balance is read, and where. */
interface InnocentPlan {
  readonly gatewayUrl: string;
  /** A token that is good for half a minute more at least. */
  readonly accessToken: () => Promise<string>;
}

/** What the process is sent: where to read and with which token, then another one, then that its report is wanted. */
type Message = { readonly gatewayUrl: string; readonly token: string } | 'report';

/** How long its reads took, in milliseconds, and how many did not return 200. */
export interface InnocentReport {
  readonly latencies: readonly number[];
  readonly failures: readonly string[];
}

const EVERY_MS = 100;
const RENEW_MS = 10_000;
/** An address of its own where the system has one, so that limits by address know it from the others. */
const OWN_ADDRESS = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};

/**
 * Reads one balance ten times a second, each read at its time whatever became of the one before; reports when it is to. It is a
 * process of its own, so that nothing of the drill's own work counts as the gateway's time.
 */
export function serveInnocent(): void {
  const latencies: number[] = [];
  const failures: string[] = [];
  let authorization = '';
  const renew = (message: Message): void => {
    if (message !== 'report') authorization = `Bearer ${message.token}`;
  };
  process.on('message', renew);
  process.once('message', ({ gatewayUrl }: Exclude<Message, 'report'>) => {
    const client = new Pool(gatewayUrl, { connect: OWN_ADDRESS, connections: 4 });
    const open = new Set<number>();
    const read = async (): Promise<void> => {
      const sentAt = performance.now();
      open.add(sentAt);
      try {
        const { statusCode, body } = await client.request({
          method: 'GET',
          path: '/api/v1/wallet/balance',
          headers: { authorization },
        });
        await body.dump();
        if (statusCode !== 200) failures.push(String(statusCode));
      } catch (error) {
        failures.push(String(error));
      }
      open.delete(sentAt);
      latencies.push(performance.now() - sentAt);
    };
    void read().then(() => {
      setInterval(() => void read(), EVERY_MS);
      process.send?.('ready');
    });
    process.on('message', (message: Message) => {
      if (message !== 'report') return;
      // What has no response yet took as long as this at least.
      latencies.push(...[...open].map((sentAt) => performance.now() - sentAt));
      process.send?.({ latencies, failures } satisfies InnocentReport, () => process.exit(0));
    });
  });
  process.once('disconnect', () => process.exit(0));
}

/** Starts the innocent caller and waits for its first read; `stop` ends it and returns what it saw. */
export async function startInnocent({
  gatewayUrl,
  accessToken,
}: InnocentPlan): Promise<{ stop(): Promise<InnocentReport> }> {
  const child = fork(__filename, [INNOCENT_ROLE]);
  const sendToken = async (): Promise<void> => {
    child.send({ gatewayUrl, token: await accessToken() } satisfies Message);
  };
  await sendToken();
  await once(child, 'message');
  // One that failed to come is requested again, and the one before is still good.
  const renewal = setInterval(() => void sendToken().catch(() => undefined), RENEW_MS);
  return {
    async stop() {
      clearInterval(renewal);
      const reported = once(child, 'message') as Promise<[InnocentReport]>;
      child.send('report');
      const [report] = await reported;
      return report;
    },
  };
}
