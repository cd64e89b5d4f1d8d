import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StartRefused } from './settings';

/** The files of a data directory. */
export interface DataDirectory {
  root: string;
  postgres: string;
  logs: string;
  secretsFile: string;
  seedFile: string;
  platformFile: string;
  /** A folder for each service, with the certificates of its RPC. */
  rpcTls: string;
}

function listen(address: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(address, () => resolve(server));
  });
}

function isListening(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address, () => resolve(true));
    socket.on('close', () => resolve(false));
    socket.on('error', () => resolve(false));
  });
}

/** A listening socket is a lock that the system itself gives back when its holder dies, however it dies. */
async function takeLock(root: string): Promise<void> {
  const name = createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 32);
  const isLinux = process.platform === 'linux';
  const address = isLinux ? `\0reseller-platform-${name}` : path.join(tmpdir(), `reseller-${name}.sock`);
  let lock = await listen(address);
  if (!lock && !isLinux && !(await isListening(address))) {
    rmSync(address, { force: true });
    lock = await listen(address);
  }
  if (!lock) {
    throw new StartRefused(
      `${root} is in use by another platform: set PLATFORM_DATA_DIR to another directory`,
    );
  }
  lock.unref();
}

/** Makes the directory and takes it for this process until it ends; throws StartRefused when another has it. */
export async function openDataDirectory(root: string): Promise<DataDirectory> {
  const logs = path.join(root, 'logs');
  try {
    mkdirSync(logs, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartRefused(`${root} cannot be made (${code}): set PLATFORM_DATA_DIR to a directory of yours`);
  }
  await takeLock(root);
  return {
    root,
    logs,
    postgres: path.join(root, 'postgres'),
    secretsFile: path.join(root, 'secrets.json'),
    seedFile: path.join(root, 'seed.json'),
    platformFile: path.join(root, 'platform.json'),
    rpcTls: path.join(root, 'rpc-tls'),
  };
}
