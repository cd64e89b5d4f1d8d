import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import type { ArchiveAddress } from './config';
import { Digesting, type Digest } from './digesting';
import { namingTheSetting } from './store-refusal';

/** A part is held in memory until the store has it; S3 takes 10,000 of them, so 80 GB an object. */
const PART_BYTES = 8 * 1024 * 1024;
const CONNECT_MS = 5_000;
const SILENT_MS = 60_000;
const ATTEMPTS = 3;

/** Objects of one bucket below one prefix. The SDK is loaded with the first request, by whoever has an archive. */
export class ObjectStore {
  private client: Promise<S3Client> | undefined;

  constructor(private readonly address: ArchiveAddress) {}

  /** How people find an object. */
  urlOf(key: string): string {
    return `s3://${this.address.bucket}/${this.address.prefix}${key}`;
  }

  /** Writes what streams piped into each other give as an object, in place of one of its name; what is cut off leaves no object. */
  async write(
    key: string,
    streams: readonly [Readable, ...NodeJS.ReadWriteStream[]],
    signal?: AbortSignal,
  ): Promise<Digest> {
    const { Upload } = await import('@aws-sdk/lib-storage');
    const body = new Digesting();
    const params = { ...this.named(key), Body: body };
    const upload = new Upload({ client: await this.connect(), params, partSize: PART_BYTES, queueSize: 1 });
    signal?.throwIfAborted();
    const cut = (): void => void upload.abort();
    signal?.addEventListener('abort', cut);
    try {
      const done = upload.done().catch((error: unknown) => {
        // What the source of the bytes says is not the store's.
        throw body.errored ?? namingTheSetting(error);
      });
      await Promise.all([pipeline([...streams, body], { signal }), done]);
      return body.digest();
    } catch (error) {
      body.destroy();
      throw error;
    } finally {
      signal?.removeEventListener('abort', cut);
    }
  }

  /** Reads an object as its bytes come; the signal ends the wait for the first of them. */
  async read(key: string, signal?: AbortSignal): Promise<Readable> {
    const { GetObjectCommand } = await import('@aws-sdk/client-s3');
    const client = await this.connect();
    const request = new GetObjectCommand(this.named(key));
    const { Body } = await client.send(request, { abortSignal: signal }).catch((error: unknown) => {
      throw namingTheSetting(error);
    });
    if (!Body) throw new Error(`${this.urlOf(key)} has no content`);
    return Body as Readable;
  }

  /** What an object's bytes are, by reading every one of them. */
  async digestOf(key: string, signal?: AbortSignal): Promise<Digest> {
    const digesting = new Digesting();
    await pipeline(await this.read(key, signal), digesting.resume(), { signal });
    return digesting.digest();
  }

  /** Ends its connections. */
  async close(): Promise<void> {
    (await this.client)?.destroy();
  }

  private named(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.address.bucket, Key: `${this.address.prefix}${key}` };
  }

  private connect(): Promise<S3Client> {
    this.client ??= openClient(this.address);
    return this.client;
  }
}

async function openClient({ endpoint, region }: ArchiveAddress): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  return new S3Client({
    ...(region && { region }),
    // Of stores other than AWS: buckets have no names of hosts there, and most stores no regions.
    ...(endpoint && { endpoint, forcePathStyle: true, region: region ?? 'us-east-1' }),
    // Not every store knows the SDK's newer checksums, and each object is read back before its rows go.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENT_MS },
  });
}
