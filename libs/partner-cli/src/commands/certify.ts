import type { Command } from 'commander';
import { performAs } from '../context.ts';
import { EXIT_CODES } from '../exit-codes.ts';

/** `reseller certify`: what is still to be shown before going live. */
export function addCertify(program: Command): void {
  program
    .command('certify')
    .description(
      'what your integration has shown in the sandbox, and what is still missing before you go live',
    )
    .action((_: object, command: Command) =>
      performAs(command, async ({ client, output }) => {
        const certification = await client.getCertification();
        const missing = certification.steps.filter(({ status }) => status === 'Missing');
        if (missing.length > 0) process.exitCode = EXIT_CODES.business;
        if (output.json) return output.record(certification);
        type Step = (typeof missing)[number];
        await output.list(
          certification.steps,
          {
            STEP: ({ title }: Step) => title,
            STATUS: ({ status }: Step) => status,
            SHOWN: ({ shownAt }: Step) => shownAt,
          },
          Infinity,
        );
        output.say(`\n${certification.status}`);
        for (const { title, howTo } of missing) output.say(`  ${title}: ${howTo}`);
      }),
    );
}
