import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError } from './config';

const READERS = {
  certificates: (text: string) => new X509Certificate(text),
  key: (text: string) => createPrivateKey(text),
};

/**
 * The text of a file in PEM that the variable `name` names: certificates, or a private key without a passphrase. A file that cannot
 * be read or holds something else is a ConfigError with a line that says so, and shows none of it.
 */
export function readPemFile(name: string, file: string, holds: keyof typeof READERS): string {
  const text = read(name, file);
  try {
    READERS[holds](text);
  } catch {
    const expected = holds === 'key' ? 'a private key, not encrypted' : 'certificates';
    throw new ConfigError([`${name} is not valid: expected ${expected} in PEM in ${file}`]);
  }
  return text;
}

function read(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new ConfigError([`${name} is not valid: ${file} cannot be read: ${code}`]);
  }
}
