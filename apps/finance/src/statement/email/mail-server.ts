import { Readable } from 'node:stream';

/** An e-mail with one PDF. */
export interface StatementMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same at each try, so that a mailbox recognises a repetition. */
  readonly messageId: string;
  readonly fileName: string;
  readonly pdf: AsyncIterable<Buffer>;
}

/** Where e-mails go out. */
export interface MailServer {
  /** Resolves when the server has taken it over; rejects with a MailFault. */
  send(mail: StatementMail): Promise<void>;
  close(): void;
}

/** Why an e-mail was not sent, in words that a partner may see. */
export class MailFault extends Error {
  constructor(message: string, options: ErrorOptions) {
    super(message, options);
    this.name = 'MailFault';
  }
}

const CONNECT_MS = 10_000;
/** Between two signs of life of the server. */
const SILENCE_MS = 60_000;

/**
 * A mail server by its URL (smtp:// or smtps://, with user and password if it wants them); nothing connects before a send. With
 * `requireTLS` nothing is sent, and no password given, to one that offers no TLS.
 */
export function createMailServer(
  url: string,
  from: string,
  { requireTLS }: { requireTLS: boolean },
): MailServer {
  const options = {
    url,
    requireTLS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  // Only an installation that sends e-mail loads the library.
  const transport = import('nodemailer').then(({ createTransport }) => createTransport(options, { from }));
  return {
    async send({ to, subject, text, messageId, fileName, pdf }) {
      const content = Readable.from(pdf, { objectMode: false });
      try {
        await (
          await transport
        ).sendMail({
          to,
          subject,
          text,
          messageId,
          attachments: [{ filename: fileName, content, contentType: 'application/pdf' }],
        });
      } catch (error) {
        throw new MailFault(reasonOf(error), { cause: error });
      } finally {
        content.destroy();
      }
    },
    close: () => void transport.then((open) => open.close()),
  };
}

function reasonOf(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  if (typeof responseCode === 'number') return `The mail server refused the message (${responseCode})`;
  if (code === 'ETIMEDOUT') return 'The mail server did not respond in time';
  if (typeof code === 'string') return 'The mail server could not be reached';
  return 'The message could not be made';
}
