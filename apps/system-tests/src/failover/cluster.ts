import { freePort } from '@reseller/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { TcpProxy, type Mode } from '../brown-out/tcp-proxy';
import { until } from '../until';
import {
  etcdArguments,
  haproxyConfig,
  patroniConfig,
  POSTGRES_BIN,
  type BalancerPorts,
  type NodePlan,
} from './configuration';
import { account, childrenOf, own, signal, worksIn } from './node-processes';

/** Debian's packages, and the program that each is needed for. */
const PROGRAMS = {
  'postgresql-15': `${POSTGRES_BIN}/postgres`,
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
};

/** Which of Debian's packages are missing here; empty where a cluster can be started. */
export const missingPackages = (): string[] =>
  Object.entries(PROGRAMS)
    .filter(([, program]) => !existsSync(program))
    .map(([name]) => name);

/** Throws what to install where a package is missing. */
export function requirePackages(): void {
  const missing = missingPackages().join(' ');
  if (missing) throw new Error(`this needs Debian's packages ${missing}: apt-get install ${missing}`);
}

const READY_LIMIT_MS = 120_000;

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

interface Node extends NodePlan {
  readonly replication: TcpProxy;
  process: ChildProcess | undefined;
}

/** A primary and its standby under Patroni and etcd, behind HAProxy, as teams run PostgreSQL; all of it on this machine. */
export class Cluster {
  private etcd: ChildProcess | undefined;
  private haproxy: ChildProcess | undefined;

  private constructor(
    private readonly root: string,
    private readonly nodes: readonly Node[],
    private readonly ports: BalancerPorts & { readonly etcd: number; readonly peer: number },
    private readonly password: string,
    private readonly synchronous: boolean,
  ) {}

  /** Starts it in an empty folder; without `synchronous` the primary waits for no standby. */
  static async start(root: string, synchronous: boolean): Promise<Cluster> {
    const take = async () => ({
      postgres: await freePort(),
      rest: await freePort(),
      replicated: await freePort(),
    });
    const nodes = await Promise.all(
      ['one', 'two'].map(async (name) => {
        const ports = await take();
        const proxy = new TcpProxy(ports.replicated, ports.postgres);
        await proxy.listen();
        return { name, ...ports, directory: path.join(root, name), replication: proxy, process: undefined };
      }),
    );
    const ports = {
      etcd: await freePort(),
      peer: await freePort(),
      primary: await freePort(),
      replica: await freePort(),
    };
    const cluster = new Cluster(root, nodes, ports, 'failover-drill', synchronous);
    try {
      await cluster.bringUp();
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** The superuser's address, by way of HAProxy: of whichever is the primary. */
  get adminUrl(): string {
    return this.urlAt(this.ports.primary);
  }

  /** The same, of whichever is a standby. */
  get replicaUrl(): string {
    return this.urlAt(this.ports.replica);
  }

  /** The same, of one node. */
  urlOf(name: string): string {
    return this.urlAt(this.node(name).postgres);
  }

  private urlAt(port: number): string {
    return `postgresql://platform:${this.password}@127.0.0.1:${port}/postgres`;
  }

  private async bringUp(): Promise<void> {
    const { root, ports, password, synchronous } = this;
    chmodSync(root, 0o711);
    this.etcd = this.run('etcd', PROGRAMS['etcd-server'], etcdArguments(path.join(root, 'etcd'), ports));
    for (const node of this.nodes) {
      mkdirSync(node.directory, { mode: 0o700 });
      const file = path.join(node.directory, 'patroni.yml');
      writeFileSync(file, patroniConfig(node, { etcdPort: ports.etcd, password, synchronous }));
      for (const one of [node.directory, file]) own(one);
      this.begin(node);
      // The first makes the cluster, the other copies it.
      await until(`${node.name} is up`, () => this.memberOf(node.name), READY_LIMIT_MS);
    }
    const file = path.join(root, 'haproxy.cfg');
    writeFileSync(file, haproxyConfig(ports, this.nodes));
    this.haproxy = this.run('haproxy', PROGRAMS.haproxy, ['-W', '-db', '-f', file]);
    await this.whole();
  }

  private run(
    name: string,
    program: string,
    args: string[],
    account?: { uid: number; gid: number },
  ): ChildProcess {
    const log = openSync(path.join(this.root, `${name}.log`), 'a');
    return spawn(program, args, {
      stdio: ['ignore', log, log],
      cwd: '/',
      env: { PATH: process.env['PATH'], LANG: 'C.UTF-8' },
      ...account,
    });
  }

  private begin(node: Node): void {
    node.process = this.run(
      node.name,
      PROGRAMS.patroni,
      [path.join(node.directory, 'patroni.yml')],
      account(),
    );
  }

  /** Resolves once there is a primary, and its standby follows it closely. */
  async whole(): Promise<void> {
    await until(
      'a primary and its standby are there',
      async () => {
        const members = await this.members();
        const isRunning = members.every(({ state }) => ['running', 'streaming'].includes(state));
        const roles = members.map(({ role }) => role).sort();
        return (
          isRunning &&
          roles.join() === `leader,${this.synchronous ? 'sync_standby' : 'replica'}` &&
          this.accepting()
        );
      },
      READY_LIMIT_MS,
    );
  }

  private async members(): Promise<readonly Member[]> {
    for (const { rest } of this.nodes) {
      const response = await fetch(`http://127.0.0.1:${rest}/cluster`, {
        signal: AbortSignal.timeout(1_000),
      }).catch(() => undefined);
      if (response?.ok) return ((await response.json()) as { members: Member[] }).members;
    }
    return [];
  }

  private async memberOf(name: string): Promise<boolean> {
    return (await this.members()).some(
      (one) => one.name === name && ['running', 'streaming'].includes(one.state),
    );
  }

  /** The name of the node that Patroni says is the primary; rejects where there is none. */
  async primary(): Promise<string> {
    const leader = (await this.members()).find(({ role }) => role === 'leader');
    if (!leader) throw new Error('there is no primary');
    return leader.name;
  }

  /** The name of the node that follows it. */
  async standby(): Promise<string> {
    const primary = await this.primary();
    const standby = this.nodes.find(({ name }) => name !== primary);
    if (!standby) throw new Error('there is no standby');
    return standby.name;
  }

  /** The name of a node that takes writes now, by its own word. */
  async accepting(): Promise<string | undefined> {
    const writable = await Promise.all(this.nodes.map((node) => this.isWritable(node)));
    return this.nodes.find((_, at) => writable[at])?.name;
  }

  private async isWritable({ name }: Node): Promise<boolean> {
    const connectionString = this.urlOf(name);
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 500, query_timeout: 500 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ is: boolean }>('SELECT NOT pg_is_in_recovery() AS is');
      return rows[0]?.is ?? false;
    } catch {
      // It is down, starting or frozen.
      return false;
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  /** Ends a node as a power cut does, Patroni with its PostgreSQL. */
  async kill(name: string): Promise<void> {
    const node = this.node(name);
    const gone = node.process && once(node.process, 'exit');
    for (const pid of this.pidsOf(node)) signal(pid, 'SIGKILL');
    await gone;
    node.process = undefined;
  }

  /** Starts a node that was killed. */
  revive(name: string): void {
    this.begin(this.node(name));
  }

  /** Stops a node's every process where it stands, as a machine that hangs does; returns what lets it go on. */
  freeze(name: string): () => void {
    const pids = this.pidsOf(this.node(name));
    for (const pid of pids) signal(pid, 'SIGSTOP');
    return () => {
      for (const pid of pids) signal(pid, 'SIGCONT');
    };
  }

  /** Cuts the standby off from the primary; returns what joins them again. */
  async cut(): Promise<() => Promise<void>> {
    return this.replicate('refusing');
  }

  /** Has the standby follow two seconds behind; returns what has it follow at once again. */
  async lag(): Promise<() => Promise<void>> {
    return this.replicate('slow');
  }

  private async replicate(mode: Mode): Promise<() => Promise<void>> {
    const all = async (next: Mode): Promise<void> =>
      void (await Promise.all(this.nodes.map(({ replication }) => replication.set(next))));
    await all(mode);
    return () => all('through');
  }

  /** Has the two change places, as before maintenance. */
  async switchOver(): Promise<void> {
    const leader = await this.primary();
    const candidate = await this.standby();
    const response = await fetch(`http://127.0.0.1:${this.node(leader).rest}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader, candidate }),
    });
    if (!response.ok) throw new Error(`the switchover was refused: ${await response.text()}`);
  }

  /** Ends all of it. */
  async stop(): Promise<void> {
    for (const node of this.nodes) {
      for (const pid of this.pidsOf(node)) signal(pid, 'SIGCONT');
      await this.kill(node.name);
      await node.replication.close();
    }
    for (const child of [this.haproxy, this.etcd]) {
      if (!child || child.exitCode !== null) continue;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
  }

  private node(name: string): Node {
    const node = this.nodes.find((one) => one.name === name);
    if (!node) throw new Error(`there is no node ${name}`);
    return node;
  }

  /** Patroni's and its PostgreSQL's processes, the oldest first. */
  private pidsOf({ process: patroni, directory }: Node): number[] {
    const file = path.join(directory, 'data/postmaster.pid');
    const postmaster = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
    const first = [patroni?.pid, postmaster].filter((pid) => pid !== undefined && worksIn(directory, pid));
    return [...(first as number[]), ...childrenOf(first as number[])];
  }
}
