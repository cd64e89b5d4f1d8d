import { expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const untilReady = `
  const { untilReady } = require(${JSON.stringify(path.join(__dirname, '../kafka/jvm-broker.cjs'))});
  const server = require('node:net').createServer((socket) => socket.on('error', () => 0).end(Buffer.from([0, 0, 0, 2, 0, 0])));
  server.listen(0, '127.0.0.1', () => {
    let looks = 0;
    untilReady('127.0.0.1:' + server.address().port, () => (looks += 1) > 2 && 'no broker came')
      .catch(({ message }) => { console.log(message); process.exit(0); });
  });`;

it('when something that is no broker responds on its port, then it is waited for all the same', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', untilReady], { timeout: 60_000 });
  expect(stdout).toBe('no broker came\n');
});
