import { setTimeout as sleep } from 'node:timers/promises';

interface Envelope {
  state: string;
  payload: unknown;
  details?: { message?: string; approvalId?: string };
}

/** A call that backoffice refused; `state` is its error code. */
export class BackofficeError extends Error {
  constructor(
    readonly state: string,
    message: string,
    /** Of a movement that a second operator has to approve. */
    readonly approvalId?: string,
  ) {
    super(message);
  }
}

const TRIES = 20;
const GAP_MS = 250;

/** The operators' API as a program uses it; a service that is not up yet is called again for a few seconds. */
export class BackofficeClient {
  constructor(
    private readonly url: string,
    private readonly operatorToken: string,
  ) {}

  get = <T>(path: string): Promise<T> => this.call<T>('GET', path);
  post = <T>(path: string, body: object): Promise<T> => this.call<T>('POST', path, body);
  put = <T>(path: string, body: object): Promise<T> => this.call<T>('PUT', path, body);

  private async call<T>(method: string, path: string, body?: object): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.send(method, path, body);
      if (reply.state === 'SUCCESS') return reply.payload as T;
      if (reply.state !== 'SERVICE_UNAVAILABLE' || attempt === TRIES) {
        const reason = reply.details?.message ?? reply.state;
        const message = `${method} ${path} returned ${reply.state}: ${reason}`;
        throw new BackofficeError(reply.state, message, reply.details?.approvalId);
      }
      await sleep(GAP_MS);
    }
  }

  private async send(method: string, path: string, body?: object): Promise<Envelope> {
    const response = await fetch(`${this.url}/ops/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.operatorToken}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await response.json()) as Envelope;
  }
}
