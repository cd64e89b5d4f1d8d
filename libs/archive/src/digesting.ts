import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';

/** What an object's bytes are known by. */
export interface Digest {
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
}

/** Lets bytes through, and knows them when they have ended. */
export class Digesting extends Transform {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    done(null, chunk);
  }

  /** To be called once, after the last of them. */
  digest(): Digest {
    return { bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}
