import type { Tool } from './command';

/** A client that somebody else's generator makes of the document. */
export interface Stranger {
  readonly name: string;
  readonly generator: 'openapi-generator' | 'openapi-python-client';
  /** What openapi-generator calls the language. */
  readonly language?: string;
  /** Options of that language beside those of all. */
  readonly options?: readonly string[];
  /** What compiling and running it needs; nothing of it, and it is made only. */
  readonly tools: readonly Tool[];
  /** Where its calls are, in the folder of the client. */
  readonly calls: RegExp;
  /** The file of apps/system-tests/strangers that sells with it. */
  readonly seller?: string;
}

/** Every client that `npm run strangers` makes. */
export const STRANGERS: readonly Stranger[] = [
  {
    name: 'python',
    generator: 'openapi-generator',
    language: 'python',
    options: ['packageName=reseller'],
    tools: ['python3'],
    calls: /^reseller\/api\//,
    seller: 'sell.py',
  },
  {
    name: 'java',
    generator: 'openapi-generator',
    language: 'java',
    tools: ['javac', 'mvn'],
    calls: /\/client\/api\//,
    seller: 'Sell.java',
  },
  {
    name: 'go',
    generator: 'openapi-generator',
    language: 'go',
    // Enums of Go share one space of names.
    options: ['packageName=reseller', 'enumClassPrefix=true'],
    tools: ['go'],
    calls: /^api_/,
    seller: 'sell.go',
  },
  {
    name: 'csharp',
    generator: 'openapi-generator',
    language: 'csharp',
    tools: ['dotnet'],
    calls: /^src\/Org\.OpenAPITools\/Api\//,
  },
  { name: 'php', generator: 'openapi-generator', language: 'php', tools: ['php'], calls: /^lib\/Api\// },
  {
    name: 'openapi-python-client',
    generator: 'openapi-python-client',
    tools: ['python3'],
    calls: /^reseller_attrs\/api\//,
    seller: 'sell_attrs.py',
  },
];
