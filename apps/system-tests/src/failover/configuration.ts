/** Where Debian 12 has its PostgreSQL. */
export const POSTGRES_BIN = '/usr/lib/postgresql/15/bin';

/** A node's places: its PostgreSQL, Patroni's own API, and where the other node reaches its PostgreSQL. */
export interface NodePlan {
  readonly name: string;
  readonly postgres: number;
  readonly rest: number;
  readonly replicated: number;
  readonly directory: string;
}

const at = (port: number): string => `127.0.0.1:${port}`;

/** How etcd is started: one member, which is enough where it is PostgreSQL that fails. */
export function etcdArguments(directory: string, { etcd, peer }: { etcd: number; peer: number }): string[] {
  const urls = { client: `http://${at(etcd)}`, peer: `http://${at(peer)}` };
  return [
    '--name=etcd',
    `--data-dir=${directory}`,
    `--listen-client-urls=${urls.client}`,
    `--advertise-client-urls=${urls.client}`,
    `--listen-peer-urls=${urls.peer}`,
    `--initial-advertise-peer-urls=${urls.peer}`,
    `--initial-cluster=etcd=${urls.peer}`,
  ];
}

/** One node under Patroni. Whoever is the primary holds a lease of 20 s, the shortest that Patroni takes. */
export function patroniConfig(
  { name, postgres, rest, replicated, directory }: NodePlan,
  { etcdPort, password, synchronous }: { etcdPort: number; password: string; synchronous: boolean },
): string {
  const login = (username: string) => ({ username, password });
  // YAML reads JSON.
  return JSON.stringify(
    {
      scope: 'platform',
      name,
      restapi: { listen: at(rest), connect_address: at(rest) },
      etcd3: { host: at(etcdPort) },
      bootstrap: {
        dcs: {
          ttl: 20,
          loop_wait: 2,
          retry_timeout: 5,
          maximum_lag_on_failover: 1_073_741_824,
          synchronous_mode: synchronous,
          postgresql: {
            use_pg_rewind: true,
            parameters: {
              max_connections: 300,
              shared_buffers: '128MB',
              jit: 'off',
              max_parallel_workers_per_gather: 0,
              timezone: 'UTC',
              idle_in_transaction_session_timeout: '60s',
            },
          },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      },
      postgresql: {
        listen: at(postgres),
        connect_address: at(replicated),
        data_dir: `${directory}/data`,
        bin_dir: POSTGRES_BIN,
        pgpass: `${directory}/pgpass`,
        authentication: { superuser: login('platform'), replication: login('replicator') },
        parameters: { unix_socket_directories: directory },
        pg_hba: [
          'local all all scram-sha-256',
          'host all all 127.0.0.1/32 scram-sha-256',
          'host replication replicator 127.0.0.1/32 scram-sha-256',
        ],
      },
    },
    undefined,
    2,
  );
}

/** Where clients reach the primary, and where a standby. */
export interface BalancerPorts {
  readonly primary: number;
  readonly replica: number;
}

/**
 * One address that leads to the primary and one that leads to a standby: HAProxy asks Patroni which that is, and ends the connections to
 * one that is not any more.
 */
export function haproxyConfig(ports: BalancerPorts, nodes: readonly NodePlan[]): string {
  const listen = (role: keyof BalancerPorts): string => `listen ${role}
  bind ${at(ports[role])}
  option httpchk GET /${role}
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, postgres, rest }) => `  server ${name} ${at(postgres)} check port ${rest}`).join('\n')}
`;
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s

${listen('primary')}
${listen('replica')}`;
}
