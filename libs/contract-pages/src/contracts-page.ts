import { callersOf, EVENTS, RPCS } from '@reseller/contract-testing';
import { CONTRACTS } from '@reseller/contract-testing/contracts';

const INTRODUCTION = `# Who calls what, and who takes what in

Made of the .proto files and of the contracts by \`npm run contract-pages\`. What each RPC promises is in [the protos](protos.md); which
of its fields are filled, and how, is in \`libs/contract-testing/golden\`.
`;

const anchor = (title: string): string => title.toLowerCase().replaceAll(' ', '-').replace('.', '');

/** dist/docs/contracts.md. */
export function contractsPage(): string {
  const pairs = new Map<string, string[]>();
  for (const { app, services } of Object.values(CONTRACTS))
    for (const { service, rpcs } of services)
      for (const name of Object.keys(rpcs)) {
        const method = RPCS.get(`${service}.${name}`);
        for (const caller of method ? callersOf(method) : []) {
          const title = `${caller} calls ${app}`;
          pairs.set(title, [...(pairs.get(title) ?? []), `${service}.${name}`]);
        }
      }
  const titles = [...pairs.keys()].sort();
  return [
    INTRODUCTION,
    ...[...titles, 'Events'].map((title) => `- [${title}](#${anchor(title)})`),
    ...titles.map((title) => {
      const rpcs = [...(pairs.get(title) ?? [])].sort();
      return `\n## ${title}\n\n${rpcs.map((rpc) => `- [${rpc}](protos.md#${anchor(rpc)})`).join('\n')}`;
    }),
    '\n## Events\n\n| Event | Topic | Published by | Taken in by |\n|---|---|---|---|',
    ...EVENTS.map(({ type, topic }) => {
      const among = (part: 'publishes' | 'consumes'): string =>
        Object.values(CONTRACTS)
          .filter((contract) => contract[part].some((one) => one.type === type.typeName))
          .map(({ app }) => app)
          .join(', ') || 'nobody yet';
      return `| ${type.name} | \`${topic}\` | ${among('publishes')} | ${among('consumes')} |`;
    }),
    '',
  ].join('\n');
}
