import type { Pair } from '../consumers/reliance';
import { CONTRACTS } from '../contracts';
import { EVENTS } from './event-files';

const INTRODUCTION = `# Who calls what, and what they rely on

Read from the sources of the consumers and from the contracts of the providers by \`npm run contract-pages\`. Tests fail while a
consumer reads a field that no case of the provider's contract fills, and while a fake of a provider replies what the provider
never does. What each RPC promises is in [the protos](protos.md).

"Relies on" lists the fields of the response that the consumer reads; whoever serves the RPC must go on filling them.
"Distinguishes" lists the error codes on which the consumer decides something of its own; every other error it passes on as it is.
`;

const code = (text: string): string => `\`${text}\``;
const list = (items: readonly string[]): string => items.map(code).join(', ') || '–';
const anchor = (rpc: string): string => rpc.toLowerCase().replace('.', '');
const heading = ({ consumer, provider }: Pair): string => `${consumer} calls ${provider}`;

/** dist/docs/contracts.md. */
export function contractsPage(pairs: readonly Pair[]): string {
  return [
    INTRODUCTION,
    ...pairs.map((pair) => `- [${heading(pair)}](#${heading(pair).replaceAll(' ', '-')})`),
    '- [Events](#events)\n',
    ...pairs.map(pairPart),
    eventsPart(),
  ].join('\n');
}

function pairPart(pair: Pair): string {
  const rows = pair.reliances.map(
    ({ rpc, sends, reads }) =>
      `| [${rpc}](protos.md#${anchor(rpc)}) | ${list(sends)} | ${list(folded(reads))} |`,
  );
  return [
    `## ${heading(pair)}\n`,
    '| RPC | Sends | Relies on |\n|---|---|---|',
    ...rows,
    `\nDistinguishes: ${list(pair.codes)}.\n`,
  ].join('\n');
}

/** Without the message of which single fields are named anyway. */
function folded(paths: readonly string[]): string[] {
  return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}.`)));
}

function eventsPart(): string {
  const rows = EVENTS.map(({ type, topic }) => {
    const by = Object.values(CONTRACTS).filter(({ publishes }) =>
      publishes.some((one) => one.type === type.typeName),
    );
    const to = Object.values(CONTRACTS).filter(({ consumes }) =>
      consumes.some((one) => one.type === type.typeName),
    );
    const names = (apps: typeof by): string => apps.map(({ app }) => app).join(', ') || 'nobody yet';
    return `| ${type.name} | ${code(topic)} | ${names(by)} | ${names(to)} |`;
  });
  return [
    '## Events\n',
    '| Event | Topic | Published by | Taken in by |\n|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
