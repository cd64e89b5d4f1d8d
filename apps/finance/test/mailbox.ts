import PostalMime, { type Email } from 'postal-mime';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A real SMTP server on loopback that keeps what it is sent, and refuses the first so many. */
export interface Mailbox {
  url: string;
  mails: Email[];
  /** How many more messages it refuses, and how many it refused. */
  refuse: { next: number; count: number };
  stop(): Promise<void>;
}

/** Starts one on a free port. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: Email[] = [];
  const refuse = { next: 0, count: 0 };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refuse.next > 0) {
          refuse.next -= 1;
          refuse.count += 1;
          callback(Object.assign(new Error('mailbox full'), { responseCode: 452 }));
          return;
        }
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          mails.push(mail);
          callback();
        });
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refuse,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
