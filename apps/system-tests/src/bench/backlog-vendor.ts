import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { startRole } from './role-process';
import type { RoleProcess } from './role-process';

/** The argument that makes this bundle a vendor of a known speed. */
export const VENDOR_ROLE = 'backlog-vendor';

/** It works on so many requests at once, and takes so many milliseconds for each. */
const AT_ONCE = 10;
const TAKES_MS = 200;

/** A vendor that has delivered whatever an inquiry is about, and responds at its own speed; more requests wait in line. */
export function serveVendor(): void {
  let busy = 0;
  const line: ServerResponse[] = [];
  const serveNext = async (): Promise<void> => {
    const response = busy < AT_ONCE ? line.shift() : undefined;
    if (!response) return;
    busy += 1;
    await pause(TAKES_MS);
    const body = { status: 'success', vendorOrderId: 'V-1', reason: null, activation: null };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    busy -= 1;
    void serveNext();
  };
  const server = createServer((request, response) => {
    request.resume();
    line.push(response);
    void serveNext();
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.once('disconnect', () => process.exit(0));
}

/** The vendor in a process of its own. */
export const startVendor = (): Promise<RoleProcess> => startRole(VENDOR_ROLE);

/** How many inquiries a second it serves to a client that keeps it busy. */
export async function measureVendor(url: string, connections: number, seconds: number): Promise<number> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  let count = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < until) {
      const { body } = await pool.request({ method: 'GET', path: `/v1/orders/${count}` });
      await body.dump();
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  const rate = (count * 1_000) / (performance.now() - startedAt);
  await pool.close();
  return rate;
}
