import { readFile } from 'node:fs/promises';
import { acceptedCodings, splitHeader, type Coding } from './accepted-codings';
import type { Page } from './pages';
import { headerList, type HeaderList, type Headers } from './security-headers';

/** What a build left in a folder, compressed beside it as `<file>.br` and `<file>.gz` in the codings that are named. */
export interface StoredFile {
  readonly file: string;
  readonly type: string;
  readonly codings: readonly Coding[];
  readonly headers: Headers;
  /** Of its contents: whoever shows it by If-None-Match gets 304 and no bytes. */
  readonly hash?: string;
}

const EXTENSION: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' };

/** One form of a file: read when it is first requested, then one buffer for all who read it, however slowly. */
class Form {
  private bytes: Promise<Buffer> | undefined;

  constructor(
    private readonly file: string,
    readonly headers: HeaderList,
  ) {}

  read(): Promise<Buffer> {
    this.bytes ??= readFile(this.file).catch((error: unknown) => {
      this.bytes = undefined;
      throw error;
    });
    return this.bytes;
  }
}

/** Shows a stored file, with another status than 200 where one is given. */
export function storedFilePage(stored: StoredFile, status = 200): Page {
  // Weak, for it is the same in every coding.
  const tag = stored.hash && `W/"${stored.hash}"`;
  const headers = headerList({
    ...stored.headers,
    'Content-Type': stored.type,
    Vary: 'Accept-Encoding',
    ...(tag && { ETag: tag }),
  });
  const plain = new Form(stored.file, headers);
  const coded = stored.codings.map((coding) => ({
    coding,
    form: new Form(stored.file + EXTENSION[coding], [...headers, 'Content-Encoding', coding]),
  }));
  return async (exchange) => {
    const { 'if-none-match': known, 'accept-encoding': offers } = exchange.request.headers;
    if (tag && status === 200 && known && splitHeader(known, ',').includes(tag))
      return exchange.unchanged(headers);
    const accepted = acceptedCodings(offers);
    const form = coded.find(({ coding }) => accepted.has(coding))?.form ?? plain;
    exchange.send(status, await form.read(), form.headers);
  };
}
