import { AppError, type ErrorDetails } from '@reseller/errors';
import type { IncomingMessage } from 'node:http';
import { hasBody } from './arriving-body';
import { takePieces } from './body-pieces';
import type { Exchange } from './exchange';

/** A file that a route takes as its body. */
export interface FileDeclaration {
  /** Such as text/csv; its charset, where one is named, must be UTF-8. */
  readonly type: string;
  readonly limitBytes: number;
}

/** A file that has arrived, in blocks, which are the receiver's to take. */
export interface ReceivedFile {
  readonly blocks: Buffer[];
  readonly bytes: number;
}

const BLOCK_BYTES = 64 * 1024;
/** What is taken of a file before it is known whether its sender may send it. */
const WINDOW_BYTES = 128 * 1024;
/** What is thrown away behind the limit, so that a sender gets to see the response. */
const DISCARDED_BYTES = 4 * 1024 * 1024;

const files = new WeakMap<IncomingMessage, ArrivingFile>();

/** Has a request's body taken as a file, until its response is sent; before anything of it is read. */
export function expectFile(
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  declaration: FileDeclaration,
): void {
  if (!hasBody(request)) return;
  const file = new ArrivingFile(request, declaration);
  files.set(request, file);
  response.once('finish', () => file.discard());
}

/** The file of a request that was expected to have one. */
export const arrivingFile = (request: IncomingMessage): ArrivingFile | undefined => files.get(request);

/**
 * The whole file of a request that may send it, empty where it has no body; VALIDATION_UNSUPPORTED_MEDIA_TYPE, VALIDATION_PAYLOAD_TOO_LARGE. Only from here on is more
 * of it taken than a little.
 */
export async function receiveFile(request: IncomingMessage): Promise<ReceivedFile> {
  return files.get(request)?.receive() ?? { blocks: [], bytes: 0 };
}

/** A file on its way: held back until it is wanted, gathered in blocks, thrown away once its request has its response. */
class ArrivingFile {
  private readonly blocks: Buffer[] = [];
  private used = BLOCK_BYTES;
  private bytes = 0;
  private state: 'held' | 'wanted' | 'refused' = 'held';
  private hasBegun = false;
  private hasEnded = false;
  private settle: (() => void) | undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly declaration: FileDeclaration,
  ) {}

  /** Takes what comes, a little of it until it is wanted. */
  begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const { request } = this;
    takePieces(
      request,
      (piece) => this.take(piece),
      () => this.state === 'held' && this.bytes >= WINDOW_BYTES,
    );
    request.once('end', () => {
      this.hasEnded = true;
      this.settle?.();
    });
    const onBroken = (): void => this.settle?.();
    request.on('error', onBroken);
    request.once('close', onBroken);
  }

  async receive(): Promise<ReceivedFile> {
    const { headers } = this.request;
    const { type, limitBytes } = this.declaration;
    if (!isOfType(headers['content-type'], type) || isEncoded(headers['content-encoding']))
      return this.refuse('VALIDATION_UNSUPPORTED_MEDIA_TYPE', {
        message: `The body is not ${type} in UTF-8; send it uncompressed, with Content-Type ${type}.`,
      });
    if (Number(headers['content-length']) > limitBytes) return this.refuseLarger();
    this.begin();
    this.goOn('wanted');
    await new Promise<void>((resolve) => {
      this.settle = resolve;
      if (this.hasEnded || this.request.destroyed || this.bytes > limitBytes) resolve();
    });
    if (this.bytes > limitBytes) return this.refuseLarger();
    // Nobody is left to read the response of a request that broke off; it only ends the work.
    if (!this.hasEnded) return this.refuse('SERVICE_UNAVAILABLE');
    return { blocks: this.gathered(), bytes: this.bytes };
  }

  /** What comes from now on is thrown away. */
  discard(): void {
    this.blocks.length = 0;
    this.goOn('refused');
  }

  private refuseLarger(): never {
    const mib = this.declaration.limitBytes / (1_024 * 1_024);
    return this.refuse('VALIDATION_PAYLOAD_TOO_LARGE', {
      message: `The body is larger than ${mib} MiB; send a smaller one.`,
    });
  }

  private refuse(
    code: 'VALIDATION_UNSUPPORTED_MEDIA_TYPE' | 'VALIDATION_PAYLOAD_TOO_LARGE' | 'SERVICE_UNAVAILABLE',
    details?: ErrorDetails,
  ): never {
    this.discard();
    throw new AppError(code, details);
  }

  private goOn(state: 'wanted' | 'refused'): void {
    const wasHeld = this.state === 'held';
    if (this.state !== 'refused') this.state = state;
    if (wasHeld && this.hasBegun) this.request._read(0);
  }

  private take(piece: Buffer): void {
    this.bytes += piece.length;
    if (this.bytes > this.declaration.limitBytes) {
      this.blocks.length = 0;
      this.settle?.();
      if (this.bytes > this.declaration.limitBytes + DISCARDED_BYTES) this.request.destroy();
    } else if (this.state !== 'refused') this.append(piece);
  }

  /** Into blocks of one size: a piece may be a byte, and would be an object (spec §14.1). */
  private append(piece: Buffer): void {
    for (let at = 0; at < piece.length;) {
      if (this.used === BLOCK_BYTES) {
        this.blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
        this.used = 0;
      }
      const copied = piece.copy(this.blocks.at(-1)!, this.used, at);
      this.used += copied;
      at += copied;
    }
  }

  private gathered(): Buffer[] {
    const blocks = this.blocks.splice(0);
    const last = blocks.pop();
    return last ? [...blocks, last.subarray(0, this.used)] : [];
  }
}

const UTF8_CHARSET = /^\s*charset\s*=\s*"?utf-?8"?\s*$/i;

function isOfType(header: string | undefined, type: string): boolean {
  const [media = '', ...parameters] = (header ?? '').split(';');
  const charsets = parameters.filter((parameter) => /^\s*charset\s*=/i.test(parameter));
  return media.trim().toLowerCase() === type && charsets.every((charset) => UTF8_CHARSET.test(charset));
}

const isEncoded = (encoding: string | undefined): boolean =>
  encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity';
