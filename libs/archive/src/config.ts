import { ConfigError, envHttpUrl, mayBePlaintext, type PlaintextUse } from '@reseller/service-kit';
import { z } from 'zod';

const BUCKET = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_.=-]+)*)\/?$/;
const text = (what: string): z.ZodOptional<z.ZodString> => z.string().min(1).describe(what).optional();

/**
 * Where a service's archive is; without ARCHIVE_URL there is none. The others are those of every AWS SDK, which also finds
 * credentials where none are set (a pod's role, an instance's).
 */
export const archiveConfig = {
  ARCHIVE_URL: z.string().regex(BUCKET).describe('s3://bucket or s3://bucket/prefix').optional(),
  AWS_REGION: text('a region of the object store'),
  AWS_ENDPOINT_URL_S3: envHttpUrl('an object store with the API of S3').optional(),
  AWS_ACCESS_KEY_ID: text('an access key'),
  AWS_SECRET_ACCESS_KEY: text('the secret of the access key'),
};

/** The validated settings. */
export type ArchiveSettings = z.infer<z.ZodObject<typeof archiveConfig>>;

/** A bucket, what keys in it begin with, and how its store is reached. */
export interface ArchiveAddress {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  readonly region?: string | undefined;
  readonly endpoint?: string | undefined;
}

/** Where the settings say that the archive is; undefined where there is none. A ConfigError where it would go in plain text in
 * production, and for half a pair of keys. */
export function archiveAddress(
  settings: ArchiveSettings & { NODE_ENV: string; PLAINTEXT_ALLOWED: readonly PlaintextUse[] },
): ArchiveAddress | undefined {
  const { ARCHIVE_URL, AWS_ENDPOINT_URL_S3: endpoint, AWS_REGION: region } = settings;
  if (!ARCHIVE_URL) return undefined;
  if (endpoint?.startsWith('http:') && !mayBePlaintext(settings, 'archive'))
    throw new ConfigError([
      'AWS_ENDPOINT_URL_S3 must begin with https:// when NODE_ENV is production, unless PLAINTEXT_ALLOWED names archive',
    ]);
  // With one of them the SDK would look for others elsewhere.
  const pair = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const;
  const missing = pair.filter((name) => !settings[name]);
  if (missing.length === 1)
    throw new ConfigError([`${missing.join()} is missing: ${pair.join(' and ')} go together`]);
  const [, bucket = '', prefix = ''] = BUCKET.exec(ARCHIVE_URL) ?? [];
  return { bucket, prefix: prefix === '' ? '' : `${prefix.slice(1)}/`, region, endpoint };
}
