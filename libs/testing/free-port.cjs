const net = require('node:net');

// Below the ports that Linux, macOS and Windows give to connections: one of those may be taken by any connection of the
// machine between the return and its use, and again while what listened on it is down.
const FIRST = 10_000;
const END = 32_000;

let next = FIRST + Math.floor(Math.random() * (END - FIRST));

/** A loopback port that was free a moment ago, and none that this process has had before. */
async function freePort() {
  for (let looks = 0; looks < END - FIRST; looks += 1) {
    const port = next;
    next = port + 1 < END ? port + 1 : FIRST;
    if (await isFree(port)) return port;
  }
  throw new Error(`no port of 127.0.0.1 from ${FIRST} to ${END - 1} is free`);
}

function isFree(port) {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', (error) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

module.exports = { freePort };
