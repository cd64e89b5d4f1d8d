const KEYS = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';

/** What a store or its SDK says, by the names of errors, and the setting that it is about. */
const REFUSALS: readonly (readonly [names: RegExp, saying: string])[] = [
  [/^NoSuchBucket$/, 'the archive has no bucket as ARCHIVE_URL says'],
  [
    /^(InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|InvalidToken|CredentialsProviderError)$/,
    `the archive does not know ${KEYS} as they are, or the role that stands in for them`,
  ],
  [/^AccessDenied$/, `the archive does not let ${KEYS} (or the role) write and read below ARCHIVE_URL`],
  [
    /^(PermanentRedirect|AuthorizationHeaderMalformed)$/,
    'the archive has the bucket of ARCHIVE_URL in another region than AWS_REGION says',
  ],
  [
    /^(E[A-Z_]+|TimeoutError|CERT_\w+|DEPTH_\w+|SELF_\w+|UNABLE_\w+)$/,
    'the archive at AWS_ENDPOINT_URL_S3 (or of AWS_REGION) cannot be reached',
  ],
];

/** The error with the setting before the store's own words, for whoever reads the log; others as they are. */
export function namingTheSetting(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, code = '', message } = error as NodeJS.ErrnoException;
  // The SDK may keep no more than the text of what the system says.
  const said = [name, code, ...(message.match(/\bE[A-Z]{4,}\b/) ?? [])];
  const saying = REFUSALS.find(([names]) => said.some((one) => names.test(one)))?.[1];
  return saying === undefined ? error : new Error(`${saying}: ${message || code}`, { cause: error });
}
