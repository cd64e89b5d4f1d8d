import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command, Tool } from './command';
import type { Stranger } from './stranger-list';

/** A generator: what it needs, how it is fetched, and how it makes a client. */
export interface Generator {
  readonly tools: readonly Tool[];
  readonly title: string;
  /** Fetches it into a folder; where from is the business of the machine's own settings. */
  fetch(folder: string): readonly Command[];
  make(stranger: Stranger, place: Place): Command;
}

/** Where a client is made, of what. */
export interface Place {
  /** What the generator was fetched into. */
  readonly tools: string;
  readonly document: string;
  readonly client: string;
}

const JAR_VERSION = '7.25.0';
const ATTRS_VERSION = '0.29.1';
/** What openapi-python-client formats its code with; without it, it warns. */
const RUFF_VERSION = '0.17.6';

/**
 * What docs/partners/clients.md has partners give: responses may get new fields, and an event's form is known by its type
 * alone.
 */
const OPTIONS = ['disallowAdditionalPropertiesIfNotPresent=false', 'useOneOfDiscriminatorLookup=true'];

/** It takes no other content than JSON and bytes. */
const ATTRS_CONFIG = `content_type_overrides:
  application/pdf: application/octet-stream
  text/csv: application/octet-stream
`;

const venvOf = (tools: string): string => path.join(tools, 'venv', 'bin');

const jar: Generator = {
  tools: ['java', 'mvn'],
  title: `openapi-generator ${JAR_VERSION}`,
  fetch: (folder) => [
    {
      program: 'mvn',
      args: [
        '--batch-mode',
        '--quiet',
        'dependency:copy',
        `-Dartifact=org.openapitools:openapi-generator-cli:${JAR_VERSION}`,
        `-DoutputDirectory=${folder}`,
      ],
      cwd: folder,
    },
  ],
  make: ({ language = '', options = [] }, { tools, document, client }) => ({
    program: 'java',
    args: [
      '-jar',
      path.join(tools, `openapi-generator-cli-${JAR_VERSION}.jar`),
      'generate',
      `--generator-name=${language}`,
      `--input-spec=${document}`,
      `--output=${client}`,
      `--additional-properties=${[...OPTIONS, ...options].join(',')}`,
    ],
    cwd: tools,
  }),
};

const attrs: Generator = {
  tools: ['python3'],
  title: `openapi-python-client ${ATTRS_VERSION}`,
  fetch: (folder) => [
    ...venv(folder),
    {
      program: path.join(venvOf(folder), 'pip'),
      args: ['install', '--quiet', `openapi-python-client==${ATTRS_VERSION}`, `ruff==${RUFF_VERSION}`],
      cwd: folder,
    },
  ],
  make: (_, { tools, document, client }) => {
    const config = path.join(tools, 'openapi-python-client.yaml');
    writeFileSync(config, ATTRS_CONFIG);
    const bin = venvOf(tools);
    return {
      program: path.join(bin, 'openapi-python-client'),
      args: [
        'generate',
        `--path=${document}`,
        `--config=${config}`,
        '--meta=none',
        `--output-path=${path.join(client, 'reseller_attrs')}`,
      ],
      cwd: tools,
      env: { PATH: `${bin}${path.delimiter}${process.env.PATH}` },
    };
  },
};

/** Makes a venv in a folder. */
export const venv = (folder: string): Command[] => [
  { program: 'python3', args: ['-m', 'venv', path.join(folder, 'venv')], cwd: folder },
];

/** A program of the venv in a folder. */
export const inVenv = (folder: string, program: string): string => path.join(venvOf(folder), program);

/** Each generator by its name. */
export const GENERATORS: Readonly<Record<Stranger['generator'], Generator>> = {
  'openapi-generator': jar,
  'openapi-python-client': attrs,
};
