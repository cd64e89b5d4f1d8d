import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Dependencies } from './dependencies';
import { ISSUER } from './signer';

const root = path.resolve(__dirname, '../../../..');

/** The gateway bundled the way it is deployed, for tests that need several processes of it. */
export class GatewayBundle {
  private readonly directory = mkdtempSync(path.join(tmpdir(), 'gateway-'));
  private readonly file = path.join(this.directory, 'main.js');
  private readonly processes: GatewayProcess[] = [];

  constructor() {
    symlinkSync(path.join(root, 'node_modules'), path.join(this.directory, 'node_modules'));
    execFileSync(path.join(root, 'node_modules/.bin/esbuild'), [
      path.join(root, 'apps/gateway/src/main.ts'),
      '--bundle',
      '--platform=node',
      '--format=cjs',
      '--packages=external',
      `--outfile=${this.file}`,
      `--tsconfig=${path.join(root, 'apps/gateway/tsconfig.json')}`,
      '--log-level=warning',
    ]);
    this.take('dist/apps/docs-site', 'assets/reference');
    this.take('apps/gateway/src/generated/openapi.json', 'generated/openapi.json');
  }

  private take(built: string, into: string): void {
    cpSync(path.join(root, built), path.join(this.directory, into), { recursive: true });
  }

  /** Starts one and resolves when it responds and has the keys. */
  async start(dependencies: Dependencies, env: Record<string, string>): Promise<GatewayProcess> {
    const child = fork(this.file, [], {
      cwd: root,
      env: {
        NODE_ENV: 'test',
        LOG_LEVEL: 'silent',
        GATEWAY_PORT: '0',
        TOKEN_ISSUER: ISSUER,
        ...dependencies.addresses,
        ...env,
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [ready] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(() => Promise.reject(new Error('the gateway did not start'))),
    ])) as [{ appPort: number }];
    const gateway = new GatewayProcess(child, `http://127.0.0.1:${ready.appPort}`);
    this.processes.push(gateway);
    await gateway.untilReady();
    return gateway;
  }

  /** Ends every process and removes the bundle. */
  remove(): void {
    for (const gateway of this.processes) gateway.kill();
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** One process of the gateway. */
export class GatewayProcess {
  constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** One GET with a token. */
  get(token: string, target = '/api/v1/wallet/balance'): Promise<Response> {
    return fetch(`${this.url}${target}`, { headers: { authorization: `Bearer ${token}` } });
  }

  /** Whether its limiter says that it counts by itself. */
  async isDegraded(): Promise<boolean> {
    const text = await (await fetch(`${this.url}/metrics`)).text();
    return /gateway_rate_limiter_degraded\{.*\} 1/.test(text);
  }

  async untilReady(): Promise<void> {
    const giveUpAt = Date.now() + 20_000;
    while ((await fetch(`${this.url}/readyz`)).status !== 200) {
      if (Date.now() > giveUpAt) throw new Error('the gateway is not ready');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }
}
