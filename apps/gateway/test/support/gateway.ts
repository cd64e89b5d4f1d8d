import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { ERROR_CATALOGUE, isErrorCode } from '@reseller/errors';
import { connect } from 'node:net';
import path from 'node:path';
import { runService, type RunningService } from '@reseller/service-kit';
import { describeService } from '../../src/service';
import { startDependencies, type Dependencies } from './dependencies';
import { ISSUER, Signer } from './signer';

/** A response of the gateway, read to its end. */
export interface GatewayResponse {
  status: number;
  headers: Headers;
  text: string;
  // Tests look into responses of every shape.
  body: { state: string; payload: never; details: { message: string; requestId: string; errors?: Fault[] } };
}

export interface Fault {
  path: string;
  message: string;
}

/** Holds a refusal to the error envelope and its code's status (spec §1.2). */
export function expectEnvelope(reply: GatewayResponse): void {
  const { state, payload, details } = reply.body;
  expect(isErrorCode(state) && ERROR_CATALOGUE[state].status).toBe(reply.status);
  expect(payload).toBeNull();
  for (const { message } of [details, ...(details.errors ?? [])]) expect(message).toMatch(/\S/);
  expect(details.requestId).toBe(reply.headers.get('x-request-id'));
  expect(reply.status).toBeLessThan(500);
}

/** Holds a response to VALIDATION_FAILED at exactly these paths. */
export function expectFaults(reply: GatewayResponse, paths: string[]): void {
  expectEnvelope(reply);
  const found = (reply.body.details.errors ?? []).map(({ path }) => path).sort();
  expect([reply.body.state, found]).toEqual(['VALIDATION_FAILED', paths]);
}

/** The gateway as it is deployed, in this process, with real gRPC servers for dependencies. */
export class TestGateway {
  dependencies!: Dependencies;
  signer!: Signer;
  /** Of a sandbox credential of ACME's. */
  token!: string;
  private service!: RunningService;

  constructor(private readonly env: Record<string, string> = {}) {}

  static start(env: Record<string, string> = {}, waits = true): Promise<TestGateway> {
    return new TestGateway(env).start(waits);
  }

  async start(waits = true): Promise<this> {
    this.signer = await Signer.create();
    this.token = await this.signer.sign();
    this.dependencies = await startDependencies(this.signer);
    const settings = { ...this.dependencies.addresses, ...baseEnvironment, ...this.env };
    this.service = await runService(describeService(), settings).catch(async (error: unknown) => {
      await this.dependencies.stop();
      throw error;
    });
    if (waits) await this.untilReady();
    return this;
  }

  get port(): number {
    return this.service.appPort ?? 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async send(path: string, init: RequestInit = {}): Promise<GatewayResponse> {
    const response = await fetch(`${this.url}${path}`, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  }

  /** Sends with a valid token, fresh unless given. */
  async sendAs(token: string, path: string, init: RequestInit = {}): Promise<GatewayResponse> {
    return this.send(path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  }

  async post(token: string, path: string, body: unknown): Promise<GatewayResponse> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return this.sendAs(token, path, {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json' },
    });
  }

  /** Writes bytes to a fresh connection and reads until the other side closes it, or only until it says something. */
  raw(bytes: string | Buffer, until: 'closed' | 'responded' = 'closed'): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1');
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => {
        chunks.push(chunk);
        if (until === 'responded') socket.destroy();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
      socket.write(bytes);
    });
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.dependencies.stop();
  }

  private async untilReady(): Promise<void> {
    const giveUpAt = Date.now() + 10_000;
    for (;;) {
      const { status, text } = await this.send('/readyz');
      if (status === 200) return;
      if (Date.now() > giveUpAt) throw new Error(`the gateway is not ready: ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}

/** One for the tests of a file or of a suite, its calls forgotten before each. */
export function useGateway(env: Record<string, string> = {}): TestGateway {
  const gateway = new TestGateway(env);
  beforeAll(() => gateway.start());
  beforeEach(() => {
    gateway.dependencies.seen.calls.length = 0;
  });
  afterAll(() => gateway.stop());
  return gateway;
}

const baseEnvironment = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  GATEWAY_PORT: '0',
  // What this clone may have built is no part of a test.
  DOCS_SITE_DIR: path.join(__dirname, 'no-site'),
  TOKEN_ISSUER: ISSUER,
  SHUTDOWN_GRACE_MS: '100',
  RATE_LIMIT_DEFAULT: '1000000',
  RATE_LIMIT_TOKEN: '1000000',
};

function parse(text: string): GatewayResponse['body'] {
  try {
    return JSON.parse(text) as GatewayResponse['body'];
  } catch {
    return { state: 'not JSON', payload: null as never, details: { message: text, requestId: '' } };
  }
}
