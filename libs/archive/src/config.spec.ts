import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@reseller/service-kit';
import { z } from 'zod';
import { archiveAddress, archiveConfig } from './config';

const addressOf = (
  env: Record<string, string>,
  NODE_ENV = 'production',
  allowed: 'archive'[] = [],
): unknown =>
  archiveAddress({ ...loadConfig(z.object(archiveConfig), env), NODE_ENV, PLAINTEXT_ALLOWED: allowed });

describe('where the archive is', () => {
  it('when nothing says so, then there is none', () => {
    expect(addressOf({ AWS_REGION: 'eu-central-1' })).toBeUndefined();
  });

  it.each([
    ['s3://bucket', { bucket: 'bucket', prefix: '' }],
    ['s3://my.bucket-1/', { bucket: 'my.bucket-1', prefix: '' }],
    ['s3://bucket/a/b=1/', { bucket: 'bucket', prefix: 'a/b=1/' }],
  ])('when it is %s, then bucket and prefix are taken apart', (ARCHIVE_URL, expected) => {
    expect(addressOf({ ARCHIVE_URL })).toMatchObject(expected);
  });

  it.each(['bucket', 's3://', 'https://bucket.s3.amazonaws.com', 's3://bucket/a b', 's3://bucket//a'])(
    'when it is %s, then it is refused',
    (ARCHIVE_URL) => {
      expect(() => addressOf({ ARCHIVE_URL })).toThrow(
        'ARCHIVE_URL is not valid: expected s3://bucket or s3://bucket/prefix',
      );
    },
  );

  it('when one of a pair of keys is missing, then that is said by its name', () => {
    const env = { ARCHIVE_URL: 's3://bucket', AWS_ACCESS_KEY_ID: 'id' };
    expect(() => addressOf(env)).toThrow('AWS_SECRET_ACCESS_KEY is missing');
    expect(addressOf({ ...env, AWS_SECRET_ACCESS_KEY: 'key' })).toMatchObject({ bucket: 'bucket' });
  });

  it('when a store is reached in plain text in production, then only where that is allowed', () => {
    const env = { ARCHIVE_URL: 's3://bucket', AWS_ENDPOINT_URL_S3: 'http://store:9000' };
    expect(() => addressOf(env)).toThrow('AWS_ENDPOINT_URL_S3 must begin with https://');
    expect(addressOf(env, 'production', ['archive'])).toMatchObject({ endpoint: 'http://store:9000' });
    expect(addressOf(env, 'test')).toMatchObject({ endpoint: 'http://store:9000' });
  });
});
