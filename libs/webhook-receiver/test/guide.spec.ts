import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { runInNewContext } from 'node:vm';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { samplesFor } from '@reseller/testing';
import { vectors, type SignatureVector } from './vectors';

const samples = samplesFor(__filename);
const snippetOf = (language: string): string =>
  samples.find((sample) => sample.language === language)?.code ?? '';

// The snippets know one secret, and do not look into the body.
const rows = vectors.filter(
  ({ secrets, expect: outcome }) => secrets.length === 1 && outcome !== 'malformed-body',
);

/** A header that came twice, as servers hand it on. */
function headersOf({ headers }: SignatureVector, nameOf = (name: string) => name): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = nameOf(name);
    joined[key] = joined[key] === undefined ? value : `${joined[key]}, ${value}`;
  }
  return joined;
}

describe('the verification for Node.js that the guide shows', () => {
  type Verify = (secret: string, headers: Record<string, string>, rawBody: Buffer, nowMs: number) => boolean;
  const context = { require: createRequire(__filename), Buffer };
  const verify = runInNewContext(`${snippetOf('js')};verify`, context) as Verify;

  it.each(rows)('when a request is: $name, then it decides as the vectors say', (vector) => {
    const headers = headersOf(vector, (name) => name.toLowerCase());
    const isTaken = verify(vector.secrets[0] ?? '', headers, Buffer.from(vector.body), vector.now * 1_000);
    expect(isTaken).toBe(vector.expect === 'valid');
  });
});

/** A row as a program reads it. */
interface Request {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly now: number;
}

interface Language {
  readonly name: string;
  readonly language: string;
  readonly file: string;
  readonly command: readonly string[];
  readonly version: readonly string[];
  readonly inputOf?: (requests: readonly Request[]) => string;
  readonly program: (snippet: string) => string;
}

/** A program around the snippet: it reads the requests as JSON and prints what it makes of each. */
const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    language: 'python',
    file: 'verify.py',
    command: ['python3', 'verify.py'],
    version: ['python3', '--version'],
    program: (snippet) => `${snippet}
import email.message, json, sys

def headers_of(row):
    headers = email.message.Message()  # by name in any letter case, as every framework has them
    for name, value in row["headers"].items():
        headers[name] = value
    return headers

print(json.dumps([verify(r["secret"], headers_of(r), r["body"].encode(), r["now"]) for r in json.load(sys.stdin)]))
`,
  },
  {
    name: 'Go',
    language: 'go',
    file: 'verify.go',
    command: ['go', 'run', 'verify.go'],
    version: ['go', 'version'],
    program: (snippet) => `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

${snippet}
func main() {
	var rows []struct {
		Secret, Body string
		Headers map[string]string
		Now int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&rows); err != nil {
		panic(err)
	}
	taken := []bool{}
	for _, row := range rows {
		header := http.Header{}
		for name, value := range row.Headers {
			header.Set(name, value)
		}
		taken = append(taken, Verify(row.Secret, header, []byte(row.Body), time.Unix(row.Now, 0)))
	}
	json.NewEncoder(os.Stdout).Encode(taken)
}
`,
  },
  {
    name: 'PHP',
    language: 'php',
    file: 'verify.php',
    command: ['php', 'verify.php'],
    version: ['php', '--version'],
    // Where a header is missing, the page has the caller give nothing.
    program: (snippet) => `<?php
${snippet}
$taken = array_map(fn ($row) => verify(
    $row['secret'],
    $row['headers']['x-service-timestamp'] ?? '',
    $row['headers']['x-service-signature'] ?? '',
    $row['body'],
    $row['now'],
), json_decode(file_get_contents('php://stdin'), true));
echo json_encode($taken);
`,
  },
  {
    name: 'Java',
    language: 'java',
    file: 'Verify.java',
    command: ['java', 'Verify.java'],
    version: ['java', '--version'],
    // Without a parser of JSON, it reads each request as a line of texts in hex.
    inputOf: (requests) =>
      requests
        .map(({ secret, headers, body, now }) =>
          [secret, headers['x-service-timestamp'], headers['x-service-signature'], body, String(now)]
            .map((text) => (text === undefined ? 'missing' : `=${Buffer.from(text).toString('hex')}`))
            .join(' '),
        )
        .join('\n'),
    program: (snippet) => `import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Verify {
${snippet}
  static byte[] bytesOf(String text) {
    return text.equals("missing") ? null : HexFormat.of().parseHex(text.substring(1));
  }

  static String textOf(String text) {
    return text.equals("missing") ? null : new String(bytesOf(text), UTF_8);
  }

  public static void main(String[] args) throws Exception {
    List<Boolean> taken = new ArrayList<>();
    for (String line : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
      String[] row = line.split(" ");
      long now = Long.parseLong(textOf(row[4]));
      taken.add(verify(textOf(row[0]), textOf(row[1]), textOf(row[2]), bytesOf(row[3]), now));
    }
    System.out.println(taken);
  }
}
`,
  },
];

describe('the verification in other languages that the guide shows', () => {
  for (const { name, language, file, command, version, program, inputOf = JSON.stringify } of LANGUAGES) {
    // A machine with Node.js and npm alone runs the platform; where the language is, its snippet is held.
    const [tool = '', ...probe] = version;
    const isThere = spawnSync(tool, probe).status === 0;
    if (!isThere) process.stderr.write(`the verification in ${name} is not tested: there is no ${tool}\n`);
    (isThere ? it : it.skip)(`when ${name} reads the vectors, then it decides as they say`, () => {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'webhook-guide-'));
      try {
        writeFileSync(path.join(folder, file), program(snippetOf(language)));
        const input = inputOf(
          rows.map((row) => ({
            secret: row.secrets[0] ?? '',
            headers: headersOf(row, (header) => header.toLowerCase()),
            body: row.body,
            now: row.now,
          })),
        );
        const [run = '', ...args] = command;
        const { stdout, stderr } = spawnSync(run, args, { cwd: folder, input, encoding: 'utf8' });
        expect(stderr).toBe('');
        expect(JSON.parse(stdout)).toEqual(rows.map(({ expect: outcome }) => outcome === 'valid'));
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  }
});
