import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { FakeCall } from '@reseller/contract-testing';
import { runService, type RunningService } from '@reseller/service-kit';
import type { ZodType } from 'zod';
import { routes } from '../../src/routes';
import { describeService } from '../../src/service';
import { OPERATOR_TOKEN, startDependencies, type Dependencies } from '../dependencies';
import { aPartner } from './samples';

export { OPERATOR_TOKEN };

/** A response of backoffice, read to its end. */
export interface BackofficeResponse {
  status: number;
  headers: Headers;
  body: { state: string; payload: unknown; details?: Record<string, unknown> };
}

const isRaw = (body: unknown): body is string | Buffer<ArrayBuffer> =>
  typeof body === 'string' || Buffer.isBuffer(body);

/** What the OpenAPI document promises of the payload of a call; undefined where it promises nothing. */
function promisedBy(method: string, path: string): ZodType | undefined {
  const [called = ''] = `/ops/v1${path}`.split('?');
  return routes.find((route) => {
    const pattern = route.path.replaceAll(/\{\w+\}/g, '[^/]+');
    return route.method === method && new RegExp(`^${pattern}$`).test(called);
  })?.response;
}

/** Backoffice as it is deployed, in this process, with fakes of the services behind it on real gRPC servers. */
export class TestBackoffice {
  private services!: Dependencies;
  private service!: RunningService;

  /** With settings beside those that every test needs. */
  constructor(private readonly settings: Record<string, string> = {}) {}

  static start(settings: Record<string, string>): Promise<TestBackoffice> {
    return new TestBackoffice(settings).start();
  }

  /** Anew after a stop. */
  async start(): Promise<this> {
    const services = await startDependencies();
    this.service = await runService(describeService(), {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      BACKOFFICE_PORT: '0',
      SHUTDOWN_GRACE_MS: '0',
      ...services.addresses,
      ...this.settings,
    }).catch(async (error: unknown) => {
      await services.stop();
      throw error;
    });
    this.services = services;
    return this;
  }

  get port(): number {
    return this.service.appPort ?? 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get addresses(): Record<string, string> {
    return this.services.addresses;
  }

  /** The RPCs that backoffice called since the last reset, in order, each with its request and its metadata; not who called it. */
  get calls(): FakeCall[] {
    return this.services.fakes.log.filter(({ method }) => method !== 'authenticateOperator');
  }

  /** The services behind it, whose RPCs a test may have fail until the next reset. */
  get fakes(): Dependencies['fakes'] {
    return this.services.fakes;
  }

  /** The methods of `calls`. */
  rpcs(): string[] {
    return this.calls.map(({ method }) => method);
  }

  /** Makes a partner that identity knows; returns its id. */
  newPartner(): string {
    const partner = aPartner();
    this.knowPartner(partner);
    return partner.id;
  }

  /** Has identity know a partner. */
  knowPartner(partner: ReturnType<typeof aPartner>): void {
    this.services.partners.set(partner.id, partner);
  }

  /** Sends as the operator olga; `path` is below /ops/v1. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<BackofficeResponse> {
    const response = await fetch(`${this.url}/ops/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
    });
    const envelope = (await response.json()) as BackofficeResponse['body'];
    if (response.status === 200) promisedBy(method, path)?.parse(envelope.payload);
    return { status: response.status, headers: response.headers, body: envelope };
  }

  /** A read whose response is not the envelope. */
  fetch(path: string): Promise<Response> {
    return fetch(`${this.url}/ops/v1${path}`, { headers: { authorization: `Bearer ${OPERATOR_TOKEN}` } });
  }

  reset(): void {
    this.services.fakes.reset();
    this.services.partners.clear();
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.services.stop();
  }
}

/** One for the tests of a file or of a suite, reset before each. */
export function useBackoffice(): TestBackoffice {
  const backoffice = new TestBackoffice();
  beforeAll(() => backoffice.start());
  beforeEach(() => backoffice.reset());
  afterAll(() => backoffice.stop());
  return backoffice;
}
