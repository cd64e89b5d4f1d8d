import { readOperations } from '../abuse/operations';
import { lineOf, renderLines, type Line } from '../abuse/verdict';
import { say } from '../bench/measure';
import { OperatorBrowser } from '../clients/operator-browser';
import { OperatorClient } from '../clients/operator-client';
import type { PlatformDescription } from '../platform/platform-file';
import { startPlatform } from '../platform/start-platform';
import { certificateLines } from './certificate-attacks';
import { databaseLines } from './database-attacks';
import { bearer, roleLines, strangerLine } from './role-matrix';
import { sessionLines } from './session-attacks';
import { tokenLines } from './token-attacks';
import path from 'node:path';

/** Attacks a platform of its own, with mutual TLS, and prints what held; returns whether all of it did. */
export async function runAttack(): Promise<boolean> {
  const platform = await startPlatform({ PLATFORM_TLS: 'true' });
  process.env.PLATFORM_JSON = platform.file;
  try {
    const lines = await attack(platform.description, path.dirname(platform.file));
    const failed = lines.filter(({ isKept }) => !isKept).length;
    say(`\n${renderLines(lines)}\n\n${lines.length - failed} passed, ${failed} failed`);
    return failed === 0;
  } finally {
    await platform.stop();
  }
}

/** Everything against one platform; what fills the count of bad tokens comes last. */
export async function attack(platform: PlatformDescription, dataDirectory: string): Promise<Line[]> {
  const operations = await readOperations(platform);
  const [partners, operators] = (['gateway', 'backoffice'] as const).map((edge) =>
    operations.filter((operation) => operation.edge === edge),
  ) as [typeof operations, typeof operations];
  const admin = new OperatorClient(platform);
  const partner = await admin.newPartner({ deposit: 100 });
  const partnerToken = await partner.sandbox.accessToken();
  const browser = new OperatorBrowser(platform.backofficeUrl);
  const one = platform.operators.find(({ role }) => role === 'admin');
  await browser.signIn(one?.username ?? '', one?.password ?? '');
  const cookie = browser.cookies(new URL(platform.backofficeUrl));
  return [
    ...(await roleLines(platform, operators)),
    ...(await sessionLines(platform)),
    ...(await tokenLines(platform.gatewayUrl, partner.sandbox)),
    await strangerLine('partners’ calls with what is the operators’', platform.gatewayUrl, partners, {
      'with an operator token': bearer(platform.operatorToken),
      'with an operator’s session': { cookie },
    }),
    ...(await databaseLines(platform)),
    ...(await certificateLines(platform, dataDirectory)),
    await strangerLine('operators’ calls with what is the partners’', platform.backofficeUrl, operators, {
      'with a partner’s token': bearer(partnerToken),
      'with nothing': {},
      'with a token of nobody': bearer(`op_${'A'.repeat(43)}`),
    }),
    lineOf(
      'a good token of an address that sent bad ones',
      'balance of the admin’s own call',
      'served',
      await stillServed(admin),
    ),
  ];
}

async function stillServed(admin: OperatorClient): Promise<string[]> {
  const { status, state } = await admin.call('/partners');
  return status === 200 ? [] : [`${status} ${state}`];
}
